package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.DriverFailures;
import io.surewrite.overwrite.EntityLifecycle;
import io.surewrite.overwrite.GuardedOverwrite;
import io.surewrite.overwrite.OverwriteFactory;
import io.surewrite.unique.ClaimingGuard;
import io.surewrite.unique.ConstrainedTable;
import io.surewrite.unique.EntityWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.event.AfterDeleteEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeDeleteEvent;

/** Writes entities by a guard, with the callbacks and events that Spring Data's templates have. */
final class GuardedEntities {

    private final ClaimingGuard guard;
    private final ConstrainedTable table;
    private final Supplier<OverwriteFactory> overwrites;
    private final CassandraPersistentEntity<?> entity;
    private final EntityLifecycle.Blocking lifecycle;
    private final ApplicationEventPublisher events;

    GuardedEntities(
            ClaimingGuard guard,
            ConstrainedTable table,
            Supplier<OverwriteFactory> overwrites,
            CassandraPersistentEntity<?> entity,
            EntityLifecycle.Blocking lifecycle,
            ApplicationEventPublisher events) {
        this.guard = guard;
        this.table = table;
        this.overwrites = overwrites;
        this.entity = entity;
        this.lifecycle = lifecycle;
        this.events = events;
    }

    Object insert(Object source) {
        return write(source, row -> guard.insert(table.rows(), row), table::insert);
    }

    Object save(Object source) {
        return write(source, row -> guard.change(table.rows(), row), table::save);
    }

    /** Rows one by one; all are checked before the first is sent. */
    List<Object> overwrite(List<Object> sources) {
        CqlIdentifier name = entity.getTableName();
        List<Object> converted = sources.stream()
                .map(source -> lifecycle.beforeConvert(source, name))
                .toList();
        List<GuardedOverwrite> checked = overwrites.get().guarded(converted);
        List<Object> written = new ArrayList<>();
        for (int i = 0; i < converted.size(); i++) {
            EntityWrite row = table.overwrite(converted.get(i), checked.get(i)::write);
            written.add(write(converted.get(i), () -> guard.overwrite(table.rows(), row)));
        }
        return written;
    }

    /** Rows one by one; the first that is refused ends it, and those before it stay written. */
    List<Object> each(Iterable<?> sources, UnaryOperator<Object> operation) {
        List<Object> written = new ArrayList<>();
        sources.forEach(source -> written.add(operation.apply(source)));
        return written;
    }

    private Object write(Object source, Consumer<EntityWrite> operation, Function<Object, EntityWrite> write) {
        CqlIdentifier name = entity.getTableName();
        Object converted = lifecycle.beforeConvert(source, name);
        EntityWrite row = write.apply(converted);
        return write(converted, () -> operation.accept(row));
    }

    private Object write(Object converted, Runnable operation) {
        CqlIdentifier name = entity.getTableName();
        Object saved = lifecycle.beforeSave(converted, name, table.writeStatement());
        translated(operation);
        lifecycle.afterSave(saved, name);
        return saved;
    }

    /**
     * Deletes a row.
     *
     * @param id an entity, or its id
     */
    void delete(Object id) {
        String owner = table.owner(id);
        events.publishEvent(new BeforeDeleteEvent<>(table.deleteStatement(), entity.getType(), entity.getTableName()));
        translated(() -> guard.delete(table.rows(), owner));
        events.publishEvent(new AfterDeleteEvent<>(table.deleteStatement(), entity.getType(), entity.getTableName()));
    }

    /** The guard reports failures of the database as the driver throws them. */
    private static void translated(Runnable operation) {
        try {
            operation.run();
        } catch (RuntimeException failure) {
            throw DriverFailures.translated(failure);
        }
    }
}
