package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.unique.CqlRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeSaveCallback;
import reactor.core.publisher.Mono;

/** Refuses an entity with a unique value whose conversion gives another one each time, which no statement shows. */
public final class SteadyValues implements BeforeSaveCallback<Object> {

    /** One for each session and repository. */
    private final List<Entities> all = new CopyOnWriteArrayList<>();

    void add(Entities entities) {
        all.add(entities);
    }

    @Override
    public Object onBeforeSave(Object entity, CqlIdentifier table, Statement<?> statement) {
        for (Entities each : all) {
            if (each.entity().getType().isInstance(entity)) {
                each.requireSteady(entity);
            }
        }
        return entity;
    }

    /** The same for reactive templates, where Reactor is. */
    public record Reactive(SteadyValues values) implements ReactiveBeforeSaveCallback<Object> {

        @Override
        public Publisher<Object> onBeforeSave(Object entity, CqlIdentifier table, Statement<?> statement) {
            return Mono.fromSupplier(() -> values.onBeforeSave(entity, table, statement));
        }
    }

    /** The entities of a table; rows have all constraints that are known by now, and what was converted twice is tried. */
    record Entities(
            CassandraConverter converter,
            CassandraPersistentEntity<?> entity,
            Set<CqlIdentifier> mapped,
            Supplier<CqlRows> rows,
            Set<CqlIdentifier> tried) {

        /** A cipher with a random start makes another value of the same text each time: no two rows would have the same. */
        private void requireSteady(Object saved) {
            List<CqlIdentifier> untried = new ArrayList<>(rows.get().constrained());
            untried.removeIf(name -> !mapped.contains(name) || tried.contains(name));
            if (untried.isEmpty()) {
                return;
            }
            Map<CqlIdentifier, @Nullable Object> once = new HashMap<>();
            Map<CqlIdentifier, @Nullable Object> again = new HashMap<>();
            converter.write(saved, once, entity);
            converter.write(saved, again, entity);
            untried.removeIf(name -> once.get(name) == null);
            RowTable table = rows.get().table();
            for (CqlIdentifier name : untried) {
                if (!Objects.equals(encoded(table, name, once), encoded(table, name, again))) {
                    throw new InvalidDataAccessApiUsageException(
                            ("%s of %s is converted to another value each time, so that no two rows could be seen to have the same."
                                            + " Fix: convert it to the same value each time, or make a hash of it, in a column of its"
                                            + " own, unique")
                                    .formatted(
                                            name.asCql(true), entity.getType().getSimpleName()));
                }
                tried.add(name);
            }
        }

        private static @Nullable ByteBuffer encoded(
                RowTable table, CqlIdentifier name, Map<CqlIdentifier, @Nullable Object> values) {
            Object value = values.get(name);
            return value == null ? null : table.encoded(table.column(name), value);
        }
    }
}
