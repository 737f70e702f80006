package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.cql.SureLevel;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.ReactiveResultSet;
import org.springframework.data.cassandra.core.EntityWriteResult;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.cql.ReactiveCqlTemplate;
import org.springframework.data.cassandra.core.cql.ReactiveSessionCallback;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Overwrites through Spring Data's reactive template. */
final class SessionReactiveRowOverwrites implements ReactiveRowOverwrites {

    private final ReactiveCassandraOperations operations;
    private final OverwritePlanner planner;
    private final EntityLifecycle.Reactive lifecycle;
    private final Ticks ticks;
    private final OverwriteListener listener;
    private final @Nullable SureLevel level;

    SessionReactiveRowOverwrites(
            ReactiveCassandraOperations operations,
            OverwritePlanner planner,
            EntityLifecycle.Reactive lifecycle,
            Ticks ticks,
            OverwriteListener listener,
            @Nullable SureLevel level) {
        this.operations = operations;
        this.planner = planner;
        this.lifecycle = lifecycle;
        this.ticks = ticks;
        this.listener = listener;
        this.level = level;
    }

    @Override
    public <T> Mono<T> overwrite(T entity, OverwriteOptions options) {
        return checked(entity, options, false).flatMap(this::write);
    }

    @Override
    public <T> Mono<T> insertNew(T entity, OverwriteOptions options) {
        return checked(entity, options, true).flatMap(this::write);
    }

    @Override
    public <T> Flux<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
        return Flux.<T>fromIterable(entities)
                .concatMap(entity -> checked(entity, options, false))
                .collectList()
                .doOnNext(checked -> OverwritePlanner.refuseRepeatedRows(checked.stream()
                        .map(Checked::plan)
                        .filter(Objects::nonNull)
                        .toList()))
                .flatMapMany(Flux::fromIterable)
                .concatMap(this::write);
    }

    @Override
    public <T> Flux<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
        return Flux.defer(() -> {
            planner.check(options);
            CqlIdentifier table = planner.target(type).table().getName();
            return Flux.<T>fromIterable(rows)
                    .concatMap(row -> lifecycle.beforeConvert(row, table))
                    .collectList()
                    .flatMapMany(entities -> writePartition(type, partitionKey, entities, options));
        });
    }

    private <T> Flux<T> writePartition(Class<T> type, Object key, List<T> entities, OverwriteOptions options) {
        return timestamp(options)
                .map(timestamp -> planner.partition(type, key, entities, options, timestamp))
                .flatMapMany(plan -> prepare(plan).flatMapMany(statement -> {
                    CqlIdentifier table = plan.target().table().getName();
                    return Flux.fromIterable(entities)
                            .concatMap(entity -> lifecycle.beforeSave(entity, table, statement))
                            .collectList()
                            .flatMap(saved -> send(plan, statement).thenReturn(saved))
                            .doOnNext(saved -> saved.forEach(entity -> lifecycle.afterSave(entity, table)))
                            .flatMapMany(Flux::fromIterable);
                }));
    }

    private <T> Mono<Checked<T>> checked(T entity, OverwriteOptions options, boolean knownNew) {
        return Mono.defer(() -> {
            planner.check(options);
            if (planner.entity(entity).hasVersionProperty()) {
                VersionedSaves.check(options);
                return Mono.just(new Checked<>(entity, null, options, knownNew));
            }
            return lifecycle
                    .beforeConvert(entity, planner.entity(entity).getTableName())
                    .flatMap(converted -> timestamp(options).map(timestamp -> {
                        OverwritePlan plan = knownNew
                                ? planner.insertNew(converted, options, timestamp)
                                : planner.overwrite(converted, options, timestamp);
                        return new Checked<>(converted, plan, options, knownNew);
                    }));
        });
    }

    private <T> Mono<T> write(Checked<T> checked) {
        OverwritePlan plan = checked.plan();
        if (plan == null) {
            return writeVersioned(checked);
        }
        CqlIdentifier table = plan.target().table().getName();
        return prepare(plan)
                .flatMap(statement -> lifecycle
                        .beforeSave(checked.entity(), table, statement)
                        .flatMap(entity -> send(plan, statement).thenReturn(entity)))
                .doOnNext(entity -> lifecycle.afterSave(entity, table));
    }

    private <T> Mono<T> writeVersioned(Checked<T> checked) {
        T entity = checked.entity();
        return checked.knownNew() || planner.entity(entity).isNew(entity)
                ? operations
                        .insert(entity, VersionedSaves.insert(checked.options()))
                        .map(EntityWriteResult::getEntity)
                : operations
                        .update(entity, VersionedSaves.update(checked.options()))
                        .map(EntityWriteResult::getEntity);
    }

    private Mono<Statement<?>> prepare(OverwritePlan plan) {
        return Flux.fromIterable(plan.unprepared()).concatMap(this::prepare).then(Mono.fromSupplier(plan::statement));
    }

    private Mono<Void> prepare(Shape shape) {
        return operations
                .getReactiveCqlOperations()
                .execute((ReactiveSessionCallback<PreparedStatement>)
                        session -> session.prepare(shape.cql()).doOnNext(shape::prepared))
                .then();
    }

    private Mono<Void> send(OverwritePlan plan, Statement<?> statement) {
        Mono<Void> sent = execute(plan, statement)
                .then(Mono.fromRunnable(
                        () -> listener.overwritten(plan.target().qualifiedName(), plan.kind(), plan.bytes())));
        return TieCheck.isPossible(plan) ? sent.then(Mono.defer(() -> checkTies(plan))) : sent;
    }

    private Mono<Void> checkTies(OverwritePlan plan) {
        Shape readBack = TieCheck.shape(plan);
        return (readBack.isPrepared() ? Mono.empty() : prepare(readBack))
                .then(Mono.defer(() -> execute(plan, TieCheck.statement(plan))))
                .flatMap(rows -> rows.rows().next())
                .doOnNext((Row row) -> TieCheck.check(plan, row))
                .then();
    }

    /** A template's own consistency would replace that of the statement, so a chosen one goes past it. */
    private Mono<ReactiveResultSet> execute(OverwritePlan plan, Statement<?> statement) {
        return plan.options().consistency() == null
                ? operations.getReactiveCqlOperations().queryForResultSet(sure(statement))
                : operations
                        .getReactiveCqlOperations()
                        .execute((ReactiveSessionCallback<ReactiveResultSet>) session -> session.execute(statement))
                        .next();
    }

    /** Where the template chooses an execution profile, the level is that of the profile, if it has one. */
    private Statement<?> sure(Statement<?> statement) {
        if (level == null) {
            return statement;
        }
        return operations.getReactiveCqlOperations() instanceof ReactiveCqlTemplate template
                ? level.applyTo(template.getExecutionProfileResolver().apply(statement))
                : level.applyTo(statement);
    }

    private Mono<Long> timestamp(OverwriteOptions options) {
        return Mono.deferContextual(context -> Mono.just(ticks.next(options, ReactiveWriteScope.current(context))));
    }

    /**
     * An entity that can be written.
     *
     * @param entity after its first callbacks
     * @param plan how, or null for a conditional write
     */
    private record Checked<T>(T entity, @Nullable OverwritePlan plan, OverwriteOptions options, boolean knownNew) {}
}
