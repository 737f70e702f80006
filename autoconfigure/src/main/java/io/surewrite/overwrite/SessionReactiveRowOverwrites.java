package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.cql.session.SureLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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
        return checked(entity, options, false).flatMap(this::admitted).flatMap(this::write);
    }

    @Override
    public <T> Mono<T> insertNew(T entity, OverwriteOptions options) {
        return checked(entity, options, true).flatMap(this::admitted).flatMap(this::write);
    }

    @Override
    public <T> Flux<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
        return Flux.<T>fromStream(() -> required(entities))
                .concatMap(entity -> checked(entity, options, false))
                .collectList()
                .flatMap(checked -> admitted(
                        checked.stream()
                                .map(Checked::plan)
                                .filter(Objects::nonNull)
                                .toList(),
                        checked))
                .flatMapMany(Flux::fromIterable)
                .concatMap(this::write);
    }

    @Override
    public <T> Flux<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
        return Flux.defer(() -> {
            planner.check(options);
            CqlIdentifier table = planner.target(type).table().getName();
            return Flux.<T>fromStream(required(rows))
                    .concatMap(row -> lifecycle.beforeConvert(row, table))
                    .collectList()
                    .flatMapMany(entities -> writePartition(type, partitionKey, entities, options));
        });
    }

    private <T> Flux<T> writePartition(Class<T> type, Object key, List<T> entities, OverwriteOptions options) {
        return timestamp(options)
                .map(timestamp -> planner.partition(type, key, entities, options, timestamp))
                .flatMap(plan -> admitted(List.of(plan), plan))
                .flatMap(this::prepared)
                .flatMapMany(plan -> {
                    CqlIdentifier table = plan.target().table().getName();
                    Statement<?> statement = planner.statement(plan);
                    return Flux.fromIterable(entities)
                            .concatMap(entity -> lifecycle.beforeSave(entity, table, statement))
                            .collectList()
                            .flatMap(saved -> send(plan, statement).thenReturn(saved))
                            .doOnNext(saved -> saved.forEach(entity -> lifecycle.afterSave(entity, table)))
                            .flatMapMany(Flux::fromIterable);
                });
    }

    private <T> Mono<Checked<T>> admitted(Checked<T> checked) {
        return checked.plan() == null ? Mono.just(checked) : admitted(List.of(checked.plan()), checked);
    }

    private static <T> Mono<T> admitted(List<OverwritePlan> plans, T checked) {
        return Mono.deferContextual(context -> {
            WrittenRows.admit(plans, ReactiveWriteScope.current(context));
            return Mono.just(checked);
        });
    }

    /** A stream must not hold nulls, and the reactor's own message names none. */
    private static <T> Stream<T> required(Iterable<? extends T> entities) {
        List<T> all = new ArrayList<>();
        entities.forEach(entity -> all.add(OverwritePlanner.required(entity)));
        return all.stream();
    }

    private <T> Mono<Checked<T>> checked(T entity, OverwriteOptions options, boolean knownNew) {
        return Mono.defer(() -> {
            planner.check(options);
            OverwritePlanner.required(entity);
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
        return prepared(plan)
                .flatMap(known -> {
                    Statement<?> statement = planner.statement(known);
                    return lifecycle
                            .beforeSave(checked.entity(), table, statement)
                            .flatMap(entity -> send(known, statement).thenReturn(entity));
                })
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

    private Mono<OverwritePlan> prepared(OverwritePlan plan) {
        return plan.isReady()
                ? Mono.just(plan)
                : Mono.defer(() -> Mono.fromCompletionStage(planner.current(plan)))
                        .flatMap(current -> Flux.fromIterable(current.unprepared())
                                .concatMap(this::prepare)
                                .then(Mono.defer(() -> Mono.fromCompletionStage(planner.confirmed(current)))))
                        .flatMap(this::prepared);
    }

    private Mono<Void> prepare(Shape shape) {
        return operations
                .getReactiveCqlOperations()
                .execute((ReactiveSessionCallback<PreparedStatement>)
                        session -> session.prepare(shape.cql()).doOnNext(shape::prepared))
                .then();
    }

    private Mono<Void> send(OverwritePlan plan, Statement<?> statement) {
        return execute(plan, statement)
                .thenReturn(plan)
                .onErrorResume(failure -> OverwritePlanner.mayHaveChanged(plan, failure), failure -> sendAgain(plan))
                .flatMap(sent -> {
                    listener.overwritten(sent.target().qualifiedName(), sent.kind(), sent.bytes());
                    return TieCheck.isPossible(sent) ? checkTies(sent) : Mono.empty();
                });
    }

    private Mono<OverwritePlan> sendAgain(OverwritePlan plan) {
        return Mono.defer(() -> Mono.fromCompletionStage(planner.afterSchemaChange(plan)))
                .flatMap(this::prepared)
                .flatMap(known -> execute(known, planner.statementAfterSchemaChange(known))
                        .thenReturn(known));
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
