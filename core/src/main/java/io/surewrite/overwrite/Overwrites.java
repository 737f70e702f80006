package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.session.ForgottenStatements;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.internal.session.SureLevel;
import io.surewrite.overwrite.OverwriteException.Reason;
import io.surewrite.overwrite.OverwritePlan.OverwriteKind;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.Internal;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
import org.springframework.context.ApplicationEvent;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.cql.ExecutionProfileResolver;
import org.springframework.data.cassandra.core.cql.WriteOptions;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.event.AfterSaveEvent;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;

/**
 * The steps of an overwrite, in their order: an entity is checked and planned, admitted to its logical write, its statements are
 * prepared, it is sent as one mutation, by the guard of its table if that has one, and looked at again if asked for. Nothing here
 * blocks; how the caller waits and what it sends through is its {@link Wire}.
 */
@Internal
public final class Overwrites {

    private final CqlSession session;
    /** Once for the first statements, once more for each change meanwhile; what the driver does not show then, it never will. */
    private static final int MOST_LOOKS = 10;

    final OverwritePlanner planner;
    private final WriteTimestamps timestamps;
    private final ApplicationContext context;
    private final SureLevel level;
    private final StatementGuards guards;

    interface Wire {

        CompletionStage<PreparedStatement> prepare(String cql);

        CompletionStage<@Nullable Row> execute(Statement<?> statement);

        /** Sends in the caller's logical write, and waits if all further steps must be on its thread. Translates failures of the driver. */
        default <T> CompletionStage<T> send(Supplier<CompletionStage<T>> request) {
            return request.get();
        }
    }

    /** A template, with callbacks (auditing is one) and events around an overwrite, as Spring Data has them around a save. */
    interface Template extends Wire {

        @Nullable
        WriteScope scope();

        <T> CompletionStage<T> beforeConvert(T entity, CqlIdentifier table);

        <T> CompletionStage<T> beforeSave(T entity, CqlIdentifier table, Statement<?> statement);

        <T> CompletionStage<T> insert(T entity, InsertOptions options);

        <T> CompletionStage<T> update(T entity, UpdateOptions options);
    }

    /** As a guard does it, which translates nothing and chooses the level. */
    private final Wire guarded = new Wire() {

        @Override
        public CompletionStage<PreparedStatement> prepare(String cql) {
            return session.prepareAsync(cql);
        }

        @Override
        public CompletionStage<@Nullable Row> execute(Statement<?> statement) {
            return session.executeAsync(statement
                            .setConsistencyLevel(null)
                            .setExecutionProfileName(ConditionalWrites.PROFILE)
                            .setIdempotent(true))
                    .thenApply(rows -> rows.one());
        }
    };

    /** An entity that can be written, without a plan by the template itself. */
    record Checked<T>(T entity, @Nullable OverwritePlan plan, OverwriteOptions options) {}

    /** What is used receives each table before it is first overwritten. */
    public Overwrites(
            CqlSession session,
            CassandraConverter converter,
            long maxBytes,
            WriteTimestamps timestamps,
            ApplicationContext context,
            Consumer<TableMetadata> used,
            StatementGuards guards) {
        this.session = session;
        this.planner = new OverwritePlanner(session, converter, used, maxBytes);
        this.timestamps = timestamps;
        this.context = context;
        this.guards = guards;
        this.level = SureLevel.of(session);
    }

    public RowOverwrites rowOverwrites(CassandraOperations operations) {
        return new BlockingOverwrites(operations, this, EntityCallbacks.create(context));
    }

    public ReactiveRowOverwrites reactiveRowOverwrites(ReactiveCassandraOperations operations) {
        return new ReactiveOverwrites(operations, this, ReactiveEntityCallbacks.create(context));
    }

    /** Where a template chooses an execution profile, the level is that of the profile, if it has one. */
    Statement<?> sure(Statement<?> statement, @Nullable ExecutionProfileResolver template) {
        return level.applyTo(template == null ? statement : template.apply(statement));
    }

    /** Why no entity of a type can be overwritten; null also if the table is not there yet. */
    public @Nullable String reasonAgainst(Class<?> type) {
        return planner.reasonAgainst(type);
    }

    // ---- tables whose rows are guarded ----

    private StatementGuards.@Nullable Rows guardOf(EntityTable target) {
        return guards.rows(session.getContext(), CqlText.Name.of(target.table().metadata()));
    }

    /** A guard decides by itself when a row is sent, and frees the value of a column that a row leaves out. */
    private void requireGuardable(EntityTable target, OverwriteOptions options) {
        StatementGuards.Rows guard = guardOf(target);
        if (guard == null) {
            return;
        }
        if (!OverwriteOptions.none().equals(options)) {
            throw OverwriteException.unsupported(
                    "A row with unique values is overwritten without options: its timestamp is the guard's, and it must not expire. Fix: leave the options out.");
        }
        if (!target.mapped().keySet().containsAll(guard.constrained())) {
            throw OverwriteException.unsupported(
                    "%s does not map all columns of %s that have unique values, and an overwrite would leave the others as they are, but free. Fix: map them, or save."
                            .formatted(target.entity().getName(), target.table().qualifiedName()));
        }
    }

    /** Sends an overwrite at a timestamp that the guard decides. Sent again, it goes by what the sending before has learnt. */
    private LongFunction<CompletionStage<Void>> guarded(OverwritePlan plan) {
        AtomicReference<@Nullable OverwritePlan> newest = new AtomicReference<>();
        return timestamp -> {
            OverwritePlan before = newest.get();
            return ready(guarded, planner.again(before == null ? plan : before, timestamp))
                    .thenCompose(known -> send(guarded, known, statement(known)))
                    .thenAccept(newest::set);
        };
    }

    // ---- one row, or several of which each is a mutation of its own ----

    <T> CompletionStage<T> overwrite(Template template, T entity, OverwriteOptions options) {
        return check(template, Collections.singletonList(entity), options)
                .thenCompose(checked -> write(template, checked.get(0)));
    }

    <T> CompletionStage<List<Checked<T>>> check(
            Template template, Iterable<? extends T> entities, OverwriteOptions options) {
        var unused = planner.ttlSeconds(options); // refuses a wrong one
        return each(required(entities), entity -> checked(template, entity, options))
                .thenApply(checked -> {
                    List<OverwritePlan> plans = checked.stream()
                            .map(Checked::plan)
                            .filter(Objects::nonNull)
                            .toList();
                    WrittenRows.admit(plans, template.scope());
                    return checked;
                });
    }

    private static <T> List<T> required(Iterable<? extends @Nullable T> entities) {
        List<T> all = new ArrayList<>();
        for (T entity : entities) {
            if (entity == null) {
                throw new OverwriteException(
                        Reason.NULL_ENTITY, "There is no row to write: the entity is null. Fix: give an entity.");
            }
            all.add(entity);
        }
        return all;
    }

    private <T> CompletionStage<Checked<T>> checked(Template template, T entity, OverwriteOptions options) {
        CassandraPersistentEntity<?> type = planner.entity(entity);
        if (type.hasVersionProperty()) {
            if (options.detectTies()) {
                throw OverwriteException.unsupported(
                        "An entity with a version is written by a conditional update, which cannot tie. Fix: do not detect ties.");
            }
            return CompletableFuture.completedFuture(new Checked<>(entity, null, options));
        }
        return template.beforeConvert(entity, type.getTableName()).thenApply(converted -> {
            OverwritePlan plan = planner.overwrite(converted, options, timestamp(template.scope()));
            requireGuardable(plan.target(), options);
            return new Checked<>(converted, plan, options);
        });
    }

    /** That of the logical write the overwrite is part of, or two fresh ticks: n - 1 is reserved. */
    private long timestamp(@Nullable WriteScope scope) {
        if (scope == null) {
            return timestamps.draw();
        }
        scope.notes().requireClock(timestamps);
        return scope.timestamp();
    }

    <T> CompletionStage<T> write(Template template, Checked<T> checked) {
        OverwritePlan plan = checked.plan();
        if (plan == null) {
            return writeByTemplate(template, checked);
        }
        CqlIdentifier table = plan.target().table().metadata().getName();
        return write(template, plan, statement -> template.beforeSave(checked.entity(), table, statement))
                .thenApply(entity -> afterSave(entity, table));
    }

    // ---- a whole partition, in one mutation ----

    <T> CompletionStage<List<T>> overwritePartition(
            Template template, Class<T> type, Object key, Iterable<? extends T> rows, OverwriteOptions options) {
        var unused = planner.ttlSeconds(options); // refuses a wrong one
        EntityTable target = planner.target(type);
        if (guardOf(target) != null) {
            throw OverwriteException.unsupported(
                    "Rows of %s have unique values, and the replacement of a partition deletes rows without looking at them, which leaves their claims. Fix: overwrite and delete rows one by one."
                            .formatted(target.table().qualifiedName()));
        }
        CqlIdentifier table = target.table().metadata().getName();
        return each(required(rows), row -> template.beforeConvert(row, table))
                .thenCompose(entities -> {
                    OverwritePlan plan = planner.partition(type, key, entities, options, timestamp(template.scope()));
                    WrittenRows.admit(List.of(plan), template.scope());
                    return write(
                            template,
                            plan,
                            statement -> each(entities, entity -> template.beforeSave(entity, table, statement)));
                })
                .thenApply(saved -> {
                    saved.forEach(entity -> afterSave(entity, table));
                    return List.copyOf(saved);
                });
    }

    // ---- what the template writes ----

    /**
     * Entities with a version are written by Spring Data's conditional insert and update: a partition that lightweight
     * transactions write must see no plain write, and the condition needs the old row.
     */
    private <T> CompletionStage<T> writeByTemplate(Template template, Checked<T> checked) {
        T entity = checked.entity();
        return planner.entity(entity).isNew(entity)
                ? template.insert(
                        entity, with(InsertOptions.builder(), checked.options()).build())
                : template.update(
                        entity, with(UpdateOptions.builder(), checked.options()).build());
    }

    private static <B extends WriteOptions.WriteOptionsBuilder> B with(B builder, OverwriteOptions options) {
        if (options.ttl() != null) {
            builder.ttl(options.ttl());
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
                    .thenCompose(saved -> send(template, known, statement, guardOf(known.target()))
                            .thenApply(done -> saved));
        });
    }

    private CompletionStage<?> send(
            Template template, OverwritePlan plan, Statement<?> statement, StatementGuards.@Nullable Rows guard) {
        if (guard == null) {
            return send(template, plan, statement).thenCompose(sent -> acknowledged(template, sent));
        }
        Map<CqlIdentifier, TableColumn> columns = plan.target().table().byName();
        return template.send(() -> guard.overwrite(
                name -> columns.containsKey(name) ? plan.first().get(columns.get(name)) : null, guarded(plan)));
    }

    /**
     * Prepares the statements. Before one is prepared that deletes a row, the table is looked at: once prepared, the
     * statement is known again to the nodes, also for those processes that do not know a new column yet. And once more
     * afterwards: from then on the nodes forget it when the table changes. Becomes the plan for the table as it is then.
     */
    private CompletionStage<OverwritePlan> ready(Wire wire, OverwritePlan plan) {
        return ready(wire, plan, MOST_LOOKS);
    }

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
        return first.thenCompose(known -> each(known.unprepared(), some -> some.prepare(wire::prepare))
                        .thenApply(prepared -> known))
                .thenCompose(known -> known.isReady()
                        ? CompletableFuture.completedFuture(known)
                        : current(wire, known, OverwritePlan::confirm))
                .thenCompose(known -> ready(wire, known, looks - 1));
    }

    private CompletionStage<OverwritePlan> current(Wire wire, OverwritePlan plan, Consumer<OverwritePlan> upToDate) {
        return wire.send(() -> planner.isUpToDate(plan.target())).thenCompose(is -> {
            if (!is) {
                return afterSchemaChange(wire, plan);
            }
            upToDate.accept(plan);
            return CompletableFuture.completedFuture(plan);
        });
    }

    private CompletionStage<OverwritePlan> afterSchemaChange(Wire wire, OverwritePlan plan) {
        return wire.send(session::refreshSchemaAsync)
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
        return wire.execute(statement)
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
                    return wire.execute(known.statement()).thenApply(sent -> known);
                });
    }

    private CompletionStage<?> acknowledged(Wire wire, OverwritePlan sent) {
        if (!sent.mayTie()) {
            return CompletableFuture.completedFuture(null);
        }
        return sent.readBack()
                .prepare(wire::prepare)
                .thenCompose(prepared -> wire.execute(sent.readBackStatement()))
                .thenAccept(sent::checkTie);
    }

    private <T> T afterSave(T entity, CqlIdentifier table) {
        publish(new AfterSaveEvent<>(entity, table));
        return entity;
    }

    void publish(ApplicationEvent event) {
        context.publishEvent(event);
    }

    private static <T, R> CompletionStage<List<R>> each(List<T> all, Function<T, CompletionStage<R>> step) {
        CompletionStage<List<R>> done = CompletableFuture.completedFuture(new ArrayList<>());
        for (T one : all) {
            done = done.thenCompose(before -> step.apply(one).thenApply(result -> {
                before.add(result);
                return before;
            }));
        }
        return done;
    }
}
