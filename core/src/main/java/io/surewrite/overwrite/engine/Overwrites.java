package io.surewrite.overwrite.engine;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.cql.session.EntityLifecycle;
import io.surewrite.cql.session.ForgottenStatements;
import io.surewrite.cql.session.ScopedCqlSession;
import io.surewrite.cql.session.SureLevel;
import io.surewrite.overwrite.OverwriteException;
import io.surewrite.overwrite.OverwriteException.Reason;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.OverwriteSettings;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.data.cassandra.ReactiveResultSet;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.EntityWriteResult;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.ExecutionProfileResolver;
import org.springframework.data.cassandra.core.cql.ReactiveCqlOperations;
import org.springframework.data.cassandra.core.cql.ReactiveCqlTemplate;
import org.springframework.data.cassandra.core.cql.ReactiveSessionCallback;
import org.springframework.data.cassandra.core.cql.SessionCallback;
import org.springframework.data.cassandra.core.cql.WriteOptions;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The overwrites of a session: makes them for templates and guards, and takes their steps, in their order. An entity is
 * checked and planned, admitted to its logical write, its statements are prepared, it is sent as one mutation, and looked
 * at again if asked for. Nothing here blocks; how the caller waits and what it sends through is its {@link Wire}.
 */
public final class Overwrites {

    private final CqlSession session;
    /** Once for the first statements, and once more for each change of the table meanwhile. */
    private static final int MOST_LOOKS = 10;

    final OverwritePlanner planner;
    private final WriteTimestamps timestamps;
    private final EntityLifecycle lifecycle;
    private final @Nullable SureLevel level;

    /** How a caller sends, and waits. */
    interface Wire {

        CompletionStage<PreparedStatement> prepare(String cql);

        /** Sends a statement of a plan; becomes the first row that it returns, if any. */
        CompletionStage<@Nullable Row> execute(OverwritePlan plan, Statement<?> statement);

        /** Looks at the schema, and waits for it if all further steps must be on the caller's thread. */
        default <T> CompletionStage<T> look(Supplier<CompletionStage<T>> look) {
            return look.get();
        }
    }

    /** As Spring Data's templates do it, with callbacks and events. */
    interface Template extends Wire {

        EntityLifecycle.Steps steps();

        /** The template translates the failures of what it sends itself. Those of callbacks stay as they are. */
        @Override
        default <T> CompletionStage<T> look(Supplier<CompletionStage<T>> look) {
            return steps().send(look);
        }

        /** Writes an entity with a version, by a conditional insert or update. */
        <T> CompletionStage<T> writeVersioned(T entity, boolean isNew, OverwriteOptions options);
    }

    /** As a guard does it, which translates nothing and chooses the level. */
    private final Wire guards = new Wire() {

        @Override
        public CompletionStage<PreparedStatement> prepare(String cql) {
            return session.prepareAsync(cql);
        }

        @Override
        public CompletionStage<@Nullable Row> execute(OverwritePlan plan, Statement<?> statement) {
            return session.executeAsync(statement
                            .setConsistencyLevel(null)
                            .setExecutionProfileName(ConditionalWrites.PROFILE)
                            .setIdempotent(true))
                    .thenApply(rows -> rows.one());
        }
    };

    /**
     * An entity that can be written.
     *
     * @param entity after its first callbacks
     * @param plan how, or null for a conditional write
     */
    record Checked<T>(T entity, @Nullable OverwritePlan plan, OverwriteOptions options, boolean knownNew) {}

    /**
     * Creates the overwrites of a session.
     *
     * @param session the session, with schema metadata
     * @param converter maps entities
     * @param settings what overwrites may do
     * @param timestamps the session's source of timestamps
     * @param context holds entity callbacks and hears events
     * @param used hears of each table before it is first overwritten
     */
    public Overwrites(
            CqlSession session,
            CassandraConverter converter,
            OverwriteSettings settings,
            WriteTimestamps timestamps,
            ApplicationContext context,
            Consumer<TableMetadata> used) {
        this.session = session;
        this.planner = new OverwritePlanner(session, converter, used, settings, Clock.systemUTC());
        this.timestamps = timestamps;
        this.lifecycle = new EntityLifecycle(context);
        this.level = settings.sureLevel() ? SureLevel.of(session) : null;
    }

    /**
     * Makes overwrites that block.
     *
     * @param operations sends the statements
     * @return the overwrites, thread-safe
     */
    public RowOverwrites rowOverwrites(CassandraOperations operations) {
        return new Blocking(operations, this, lifecycle.blocking());
    }

    /**
     * Makes overwrites for reactive applications.
     *
     * @param operations sends the statements
     * @return the overwrites, thread-safe
     */
    public ReactiveRowOverwrites reactiveRowOverwrites(ReactiveCassandraOperations operations) {
        return new Reactive(operations, this, lifecycle.reactive());
    }

    /** Where a template chooses an execution profile, the level is that of the profile, if it has one. */
    Statement<?> sure(Statement<?> statement, @Nullable ExecutionProfileResolver template) {
        return level == null ? statement : level.applyTo(template == null ? statement : template.apply(statement));
    }

    /**
     * Looks at a type before anything of it is written.
     *
     * @param type a type of entities
     * @return why none of them can be overwritten, or null if they can; also null if the table is not there yet
     */
    public @Nullable String reasonAgainst(Class<?> type) {
        return planner.reasonAgainst(type);
    }

    // ---- for a guard, which decides when, how often and with which timestamps a row is sent ----

    /**
     * Checks overwrites that a guard will send, one by one. Every send is at the level of {@link
     * ConditionalWrites#PROFILE}.
     *
     * @param entities the whole rows of one call, after their first callbacks
     * @param scope the logical write that the call belongs to, whose timestamp all of them have; null if there is none
     * @return sends an overwrite at a timestamp, never blocking, and completes when it was acknowledged; in the same order
     * @throws OverwriteException if one is refused
     */
    public List<LongFunction<CompletionStage<Void>>> guarded(List<?> entities, @Nullable WriteScope scope) {
        List<OverwritePlan> plans = new ArrayList<>();
        for (Object entity : entities) {
            // Without a scope the guard decides the timestamps later, and each write has one of its own.
            long timestamp = scope == null ? plans.size() + 1L : scope.timestamp();
            plans.add(planner.overwrite(entity, OverwriteOptions.none(), timestamp));
        }
        WrittenRows.admit(plans, scope);
        return plans.stream().map(this::guarded).toList();
    }

    /** Sent again, it goes by what the sending before has learnt of the table. */
    private LongFunction<CompletionStage<Void>> guarded(OverwritePlan plan) {
        AtomicReference<@Nullable OverwritePlan> newest = new AtomicReference<>();
        return timestamp -> {
            OverwritePlan before = newest.get();
            return ready(guards, planner.again(before == null ? plan : before, timestamp))
                    .thenCompose(known -> send(guards, known, statement(known)))
                    .thenAccept(newest::set);
        };
    }

    // ---- one row, or several of which each is a mutation of its own ----

    <T> CompletionStage<T> overwrite(Template template, T entity, OverwriteOptions options, boolean knownNew) {
        return check(template, Collections.singletonList(entity), options, knownNew)
                .thenCompose(checked -> write(template, checked.get(0)));
    }

    /** Checks entities that are to be {@linkplain #write written} one after the other. */
    <T> CompletionStage<List<Checked<T>>> check(
            Template template, Iterable<? extends T> entities, OverwriteOptions options, boolean knownNew) {
        planner.check(options);
        return EntityLifecycle.each(required(entities), entity -> checked(template, entity, options, knownNew))
                .thenApply(checked -> {
                    List<OverwritePlan> plans = checked.stream()
                            .map(Checked::plan)
                            .filter(Objects::nonNull)
                            .toList();
                    WrittenRows.admit(plans, template.steps().scope());
                    return checked;
                });
    }

    /** All of them, before anything is done with the first. */
    private static <T> List<T> required(Iterable<? extends @Nullable T> entities) {
        List<T> all = new ArrayList<>();
        for (T entity : entities) {
            if (entity == null) {
                throw new OverwriteException(Reason.NULL_ENTITY, "There is no row to write: the entity is null.");
            }
            all.add(entity);
        }
        return all;
    }

    private <T> CompletionStage<Checked<T>> checked(
            Template template, T entity, OverwriteOptions options, boolean knownNew) {
        CassandraPersistentEntity<?> type = planner.entity(entity);
        if (type.hasVersionProperty()) {
            if (options.timestamp() != null || options.detectTies()) {
                throw new OverwriteException(
                        Reason.UNSUPPORTED,
                        "An entity with a version is written by a conditional update,"
                                + " which takes its timestamp from the server and cannot tie.");
            }
            return CompletableFuture.completedFuture(new Checked<>(entity, null, options, knownNew));
        }
        return template.steps().beforeConvert(entity, type.getTableName()).thenApply(converted -> {
            long timestamp = timestamp(options, template.steps().scope());
            OverwritePlan plan = knownNew
                    ? planner.insertNew(converted, options, timestamp)
                    : planner.overwrite(converted, options, timestamp);
            return new Checked<>(converted, plan, options, knownNew);
        });
    }

    /** The caller's choice, or that of the logical write the overwrite is part of, or two fresh ticks: n - 1 is reserved. */
    private long timestamp(OverwriteOptions options, @Nullable WriteScope scope) {
        if (options.timestamp() != null) {
            return options.timestamp();
        }
        if (scope == null) {
            return timestamps.nextPair();
        }
        scope.notes().requireClock(timestamps);
        return scope.timestamp();
    }

    <T> CompletionStage<T> write(Template template, Checked<T> checked) {
        OverwritePlan plan = checked.plan();
        if (plan == null) {
            return writeVersioned(template, checked);
        }
        CqlIdentifier table = plan.target().table().metadata().getName();
        return write(template, plan, statement -> template.steps().beforeSave(checked.entity(), table, statement))
                .thenApply(entity -> lifecycle.afterSave(entity, table));
    }

    // ---- a whole partition, in one mutation ----

    <T> CompletionStage<List<T>> overwritePartition(
            Template template, Class<T> type, Object key, Iterable<? extends T> rows, OverwriteOptions options) {
        planner.check(options);
        CqlIdentifier table = planner.target(type).table().metadata().getName();
        return EntityLifecycle.each(required(rows), row -> template.steps().beforeConvert(row, table))
                .thenCompose(entities -> {
                    OverwritePlan plan = planner.partition(
                            type,
                            key,
                            entities,
                            options,
                            timestamp(options, template.steps().scope()));
                    WrittenRows.admit(List.of(plan), template.steps().scope());
                    return write(
                            template,
                            plan,
                            statement -> EntityLifecycle.each(
                                    entities, entity -> template.steps().beforeSave(entity, table, statement)));
                })
                .thenApply(saved -> {
                    saved.forEach(entity -> lifecycle.afterSave(entity, table));
                    return List.copyOf(saved);
                });
    }

    // ---- entities with a version ----

    /**
     * They are written by Spring Data's conditional insert and update: a partition that lightweight transactions write
     * must see no plain write, and the condition needs the old row.
     */
    private <T> CompletionStage<T> writeVersioned(Template template, Checked<T> checked) {
        T entity = checked.entity();
        boolean isNew = checked.knownNew() || planner.entity(entity).isNew(entity);
        return template.writeVersioned(entity, isNew, checked.options());
    }

    private static <B extends WriteOptions.WriteOptionsBuilder> B with(B builder, OverwriteOptions options) {
        if (options.ttl() != null) {
            builder.ttl(options.ttl());
        }
        if (options.consistency() != null) {
            builder.consistencyLevel(options.consistency());
        }
        return builder;
    }

    // ---- a mutation ----

    private <S> CompletionStage<S> write(
            Template template, OverwritePlan plan, Function<Statement<?>, CompletionStage<S>> beforeSave) {
        return ready(template, plan).thenCompose(known -> {
            Statement<?> statement = statement(known);
            return beforeSave
                    .apply(statement)
                    .thenCompose(saved -> send(template, known, statement)
                            .thenCompose(sent -> acknowledged(template, sent))
                            .thenApply(checked -> saved));
        });
    }

    /**
     * Prepares the statements. Before one is prepared that deletes a row, the table is looked at: once prepared, the
     * statement is known again to the nodes, also for those processes that have not heard of a new column. And once more
     * afterwards: from then on the nodes forget it when the table changes.
     *
     * @return the same plan, or that of the same row for the table as it is now
     */
    private CompletionStage<OverwritePlan> ready(Wire wire, OverwritePlan plan) {
        return ready(wire, plan, MOST_LOOKS);
    }

    /**
     * @param looks how often the table may be looked at: what the driver does not show after that, it never will
     */
    private CompletionStage<OverwritePlan> ready(Wire wire, OverwritePlan plan, int looks) {
        if (plan.isReady()) {
            return CompletableFuture.completedFuture(plan);
        }
        if (looks == 0) {
            return CompletableFuture.failedFuture(OverwritePlanner.hiddenColumns(plan.target()));
        }
        boolean looksFirst =
                plan.kind() == OverwriteKind.ROW && !plan.unprepared().isEmpty();
        CompletionStage<OverwritePlan> first =
                looksFirst ? current(wire, plan, known -> {}) : CompletableFuture.completedFuture(plan);
        return first.thenCompose(known -> EntityLifecycle.each(known.unprepared(), some -> some.prepare(wire::prepare))
                        .thenApply(prepared -> known))
                .thenCompose(known -> known.isReady()
                        ? CompletableFuture.completedFuture(known)
                        : current(wire, known, OverwritePlan::confirm))
                .thenCompose(known -> ready(wire, known, looks - 1));
    }

    private CompletionStage<OverwritePlan> current(Wire wire, OverwritePlan plan, Consumer<OverwritePlan> upToDate) {
        return wire.look(() -> planner.isUpToDate(plan.target())).thenCompose(is -> {
            if (!is) {
                return afterSchemaChange(wire, plan);
            }
            upToDate.accept(plan);
            return CompletableFuture.completedFuture(plan);
        });
    }

    /** Looks at the table again, once all nodes agree on it. */
    private CompletionStage<OverwritePlan> afterSchemaChange(Wire wire, OverwritePlan plan) {
        return wire.look(session::refreshSchemaAsync)
                .thenApply(refreshed -> planner.again(plan, plan.first().timestamp()));
    }

    private Statement<?> statement(OverwritePlan plan) {
        if (plan.kind() == OverwriteKind.ROW) {
            // Another process may have added a column, which the deletion of the row would erase.
            plan.prepared().forEach(prepared -> ForgottenStatements.report(session, prepared));
        }
        return plan.statement();
    }

    /** If a node has forgotten the statement, the table may have another column now. Nothing was applied. */
    private CompletionStage<OverwritePlan> send(Wire wire, OverwritePlan plan, Statement<?> statement) {
        return wire.execute(plan, statement)
                .thenApply(sent -> plan)
                .exceptionallyCompose(
                        failure -> plan.kind() == OverwriteKind.ROW && ForgottenStatements.isReported(failure)
                                ? sendAgain(wire, plan)
                                : CompletableFuture.failedFuture(failure));
    }

    private CompletionStage<OverwritePlan> sendAgain(Wire wire, OverwritePlan plan) {
        return afterSchemaChange(wire, plan)
                .thenCompose(again -> ready(wire, again))
                .thenCompose(known -> {
                    // What has not changed was forgotten for another reason.
                    known.prepared().forEach(prepared -> ForgottenStatements.prepareAgain(session, prepared));
                    return wire.execute(known, known.statement()).thenApply(sent -> known);
                });
    }

    private CompletionStage<?> acknowledged(Wire wire, OverwritePlan sent) {
        if (!sent.mayTie()) {
            return CompletableFuture.completedFuture(null);
        }
        return sent.readBack()
                .prepare(wire::prepare)
                .thenCompose(prepared -> wire.execute(sent, sent.readBackStatement()))
                .thenAccept(sent::checkTie);
    }

    // ---- how blocking and reactive callers send and wait ----

    /**
     * Overwrites through Spring Data's template, which translates failures and knows the settings of statements. Every step
     * is over when it returns, so that all run on the caller's thread.
     */
    private record Blocking(CassandraOperations operations, Overwrites overwrites, EntityLifecycle.Blocking steps)
            implements RowOverwrites, Overwrites.Template {

        @Override
        public <T> T overwrite(T entity, OverwriteOptions options) {
            return DriverFailures.joined(overwrites.overwrite(this, entity, options, false));
        }

        @Override
        public <T> T insertNew(T entity, OverwriteOptions options) {
            return DriverFailures.joined(overwrites.overwrite(this, entity, options, true));
        }

        @Override
        public <T> List<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
            return DriverFailures.joined(overwrites.<T>check(this, entities, options, false)).stream()
                    .map(checked -> DriverFailures.joined(overwrites.write(this, checked)))
                    .toList();
        }

        @Override
        public <T> List<T> overwritePartition(
                Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
            return DriverFailures.joined(overwrites.overwritePartition(this, type, partitionKey, rows, options));
        }

        @Override
        public <T> CompletionStage<T> writeVersioned(T entity, boolean isNew, OverwriteOptions options) {
            return EntityLifecycle.Blocking.step(() -> (isNew
                            ? operations.insert(
                                    entity,
                                    with(InsertOptions.builder(), options).build())
                            : operations.update(
                                    entity,
                                    with(UpdateOptions.builder(), options).build()))
                    .getEntity());
        }

        @Override
        public CompletionStage<PreparedStatement> prepare(String cql) {
            SessionCallback<PreparedStatement> prepare = session -> session.prepare(cql);
            return EntityLifecycle.Blocking.step(
                    () -> operations.getCqlOperations().execute(prepare));
        }

        /** A template's own consistency would replace that of the statement, so a chosen one does not pass the template. */
        @Override
        public CompletionStage<@Nullable Row> execute(OverwritePlan plan, Statement<?> statement) {
            CqlOperations cql = operations.getCqlOperations();
            SessionCallback<ResultSet> asItIs =
                    session -> ScopedCqlSession.of(session).execute(statement);
            return EntityLifecycle.Blocking.step(() -> (plan.options().consistency() == null
                            ? cql.queryForResultSet(overwrites.sure(
                                    statement,
                                    cql instanceof CassandraAccessor template
                                            ? template.getExecutionProfileResolver()
                                            : null))
                            : cql.execute(asItIs))
                    .one());
        }
    }

    /** Overwrites through Spring Data's reactive template. Nothing happens before a subscription. */
    private record Reactive(
            ReactiveCassandraOperations operations, Overwrites overwrites, EntityLifecycle.Reactive lifecycle)
            implements ReactiveRowOverwrites {

        @Override
        public <T> Mono<T> overwrite(T entity, OverwriteOptions options) {
            return mono(call -> overwrites.overwrite(call, entity, options, false));
        }

        @Override
        public <T> Mono<T> insertNew(T entity, OverwriteOptions options) {
            return mono(call -> overwrites.overwrite(call, entity, options, true));
        }

        @Override
        public <T> Flux<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
            return mono(call -> overwrites.<T>check(call, entities, options, false))
                    .flatMapMany(Flux::fromIterable)
                    .concatMap(checked -> mono(call -> overwrites.write(call, checked)));
        }

        @Override
        public <T> Flux<T> overwritePartition(
                Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
            return mono(call -> overwrites.overwritePartition(call, type, partitionKey, rows, options))
                    .flatMapMany(Flux::fromIterable);
        }

        private <T> Mono<T> mono(Function<Overwrites.Template, CompletionStage<T>> work) {
            return lifecycle.mono(call -> work.apply(new Call(operations, overwrites, call)));
        }

        private record Call(
                ReactiveCassandraOperations operations, Overwrites overwrites, EntityLifecycle.Reactive.Call steps)
                implements Overwrites.Template {

            @Override
            public <T> CompletionStage<T> writeVersioned(T entity, boolean isNew, OverwriteOptions options) {
                return steps.step(() -> (isNew
                                ? operations.insert(
                                        entity,
                                        with(InsertOptions.builder(), options).build())
                                : operations.update(
                                        entity,
                                        with(UpdateOptions.builder(), options).build()))
                        .map(EntityWriteResult::getEntity));
            }

            @Override
            public CompletionStage<PreparedStatement> prepare(String cql) {
                ReactiveSessionCallback<PreparedStatement> prepare = session -> session.prepare(cql);
                return steps.step(() ->
                        operations.getReactiveCqlOperations().execute(prepare).next());
            }

            /** A template's own consistency would replace that of the statement, so a chosen one does not pass the template. */
            @Override
            public CompletionStage<@Nullable Row> execute(OverwritePlan plan, Statement<?> statement) {
                ReactiveCqlOperations cql = operations.getReactiveCqlOperations();
                ReactiveSessionCallback<ReactiveResultSet> asItIs = session -> session.execute(statement);
                Mono<ReactiveResultSet> rows = plan.options().consistency() == null
                        ? cql.queryForResultSet(overwrites.sure(
                                statement,
                                cql instanceof ReactiveCqlTemplate template
                                        ? template.getExecutionProfileResolver()
                                        : null))
                        : cql.execute(asItIs).next();
                return steps.step(() -> rows.flatMap(result -> result.rows().next()));
            }
        }
    }
}
