package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.DriverFailures;
import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.cql.WriteScope;
import io.surewrite.overwrite.EntityLifecycle;
import io.surewrite.overwrite.GuardedOverwrite;
import io.surewrite.overwrite.OverwriteFactory;
import io.surewrite.unique.ClaimingGuard;
import io.surewrite.unique.ConstrainedTable;
import io.surewrite.unique.EntityWrite;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.event.AfterDeleteEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeDeleteEvent;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** As {@link GuardedEntities}, for reactive repositories. Nothing happens before somebody subscribes. */
final class ReactiveGuardedEntities {

    private final ClaimingGuard guard;
    private final ConstrainedTable table;
    private final Supplier<OverwriteFactory> overwrites;
    private final CassandraPersistentEntity<?> entity;
    private final EntityLifecycle.Reactive lifecycle;
    private final ApplicationEventPublisher events;

    ReactiveGuardedEntities(
            ClaimingGuard guard,
            ConstrainedTable table,
            Supplier<OverwriteFactory> overwrites,
            CassandraPersistentEntity<?> entity,
            EntityLifecycle.Reactive lifecycle,
            ApplicationEventPublisher events) {
        this.guard = guard;
        this.table = table;
        this.overwrites = overwrites;
        this.entity = entity;
        this.lifecycle = lifecycle;
        this.events = events;
    }

    Mono<Object> insert(Object source) {
        return write(source, row -> guard.insertAsync(table.rows(), row), table::insert);
    }

    Mono<Object> save(Object source) {
        return write(source, row -> guard.changeAsync(table.rows(), row), table::save);
    }

    /** Rows one by one; all are checked before the first is sent. */
    Flux<Object> overwrite(List<Object> sources) {
        CqlIdentifier name = entity.getTableName();
        return Flux.fromIterable(sources)
                .concatMap(source -> lifecycle.beforeConvert(source, name))
                .collectList()
                .flatMapMany(converted -> {
                    List<GuardedOverwrite> checked = overwrites.get().guarded(converted);
                    return Flux.range(0, converted.size()).concatMap(i -> {
                        EntityWrite row = table.overwrite(converted.get(i), checked.get(i)::write);
                        return write(converted.get(i), () -> guard.overwriteAsync(table.rows(), row));
                    });
                });
    }

    private Mono<Object> write(
            Object source,
            Function<EntityWrite, CompletionStage<Void>> operation,
            Function<Object, EntityWrite> write) {
        CqlIdentifier name = entity.getTableName();
        return Mono.defer(() -> lifecycle.beforeConvert(source, name)).flatMap(converted -> {
            EntityWrite row = write.apply(converted);
            return write(converted, () -> operation.apply(row));
        });
    }

    private Mono<Object> write(Object converted, Supplier<CompletionStage<Void>> operation) {
        CqlIdentifier name = entity.getTableName();
        return lifecycle
                .beforeSave(converted, name, table.writeStatement())
                .flatMap(saved -> inScope(operation).then(Mono.fromCallable(() -> {
                    lifecycle.afterSave(saved, name);
                    return saved;
                })));
    }

    /**
     * Deletes a row.
     *
     * @param id an entity, or its id
     */
    Mono<Void> delete(Object id) {
        return Mono.defer(() -> {
            String owner = table.owner(id);
            events.publishEvent(
                    new BeforeDeleteEvent<>(table.deleteStatement(), entity.getType(), entity.getTableName()));
            return inScope(() -> guard.deleteAsync(table.rows(), owner))
                    .then(Mono.fromRunnable(() -> events.publishEvent(
                            new AfterDeleteEvent<>(table.deleteStatement(), entity.getType(), entity.getTableName()))));
        });
    }

    /** A guard takes the scope of the thread that calls it. */
    private static Mono<Void> inScope(Supplier<CompletionStage<Void>> operation) {
        return Mono.deferContextual(context -> {
                    WriteScope scope = ReactiveWriteScope.current(context);
                    return Mono.fromCompletionStage(scope == null ? operation.get() : scope.call(operation));
                })
                .onErrorMap(RuntimeException.class, DriverFailures::translated);
    }
}
