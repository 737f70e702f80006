package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.cql.session.ScopedCqlSession;
import io.surewrite.cql.session.SureLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.SessionCallback;

/** Overwrites through Spring Data's template, which translates failures and knows the settings of statements. */
final class SessionRowOverwrites implements RowOverwrites {

    private final CassandraOperations operations;
    private final OverwritePlanner planner;
    private final EntityLifecycle.Blocking lifecycle;
    private final Ticks ticks;
    private final OverwriteListener listener;
    private final @Nullable SureLevel level;

    SessionRowOverwrites(
            CassandraOperations operations,
            OverwritePlanner planner,
            EntityLifecycle.Blocking lifecycle,
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
    public <T> T overwrite(T entity, OverwriteOptions options) {
        planner.check(options);
        return write(admitted(checked(entity, options, false)));
    }

    @Override
    public <T> T insertNew(T entity, OverwriteOptions options) {
        planner.check(options);
        return write(admitted(checked(entity, options, true)));
    }

    @Override
    public <T> List<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
        planner.check(options);
        List<Checked<T>> checked = new ArrayList<>();
        for (T entity : entities) {
            checked.add(checked(entity, options, false));
        }
        WrittenRows.admit(
                checked.stream().map(Checked::plan).filter(Objects::nonNull).toList(), WriteScope.current());
        return checked.stream().map(this::write).toList();
    }

    @Override
    public <T> List<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
        planner.check(options);
        CqlIdentifier table = planner.target(type).table().getName();
        List<T> entities = new ArrayList<>();
        rows.forEach(row -> entities.add(lifecycle.beforeConvert(OverwritePlanner.required(row), table)));
        OverwritePlan plan = planner.partition(type, partitionKey, entities, options, timestamp(options));
        WrittenRows.admit(List.of(plan), WriteScope.current());
        Statement<?> statement = planner.statement(prepared(plan));
        entities.replaceAll(entity -> lifecycle.beforeSave(entity, table, statement));
        send(plan, statement);
        entities.forEach(entity -> lifecycle.afterSave(entity, table));
        return List.copyOf(entities);
    }

    private <T> Checked<T> checked(T entity, OverwriteOptions options, boolean knownNew) {
        OverwritePlanner.required(entity);
        if (planner.entity(entity).hasVersionProperty()) {
            VersionedSaves.check(options);
            return new Checked<>(entity, null, options, knownNew);
        }
        T converted = lifecycle.beforeConvert(entity, planner.entity(entity).getTableName());
        OverwritePlan plan = knownNew
                ? planner.insertNew(converted, options, timestamp(options))
                : planner.overwrite(converted, options, timestamp(options));
        return new Checked<>(converted, plan, options, knownNew);
    }

    private static <T> Checked<T> admitted(Checked<T> checked) {
        if (checked.plan() != null) {
            WrittenRows.admit(List.of(checked.plan()), WriteScope.current());
        }
        return checked;
    }

    private <T> T write(Checked<T> checked) {
        if (checked.plan() == null) {
            return writeVersioned(checked);
        }
        OverwritePlan plan = prepared(checked.plan());
        Statement<?> statement = planner.statement(plan);
        CqlIdentifier table = plan.target().table().getName();
        T entity = lifecycle.beforeSave(checked.entity(), table, statement);
        send(plan, statement);
        lifecycle.afterSave(entity, table);
        return entity;
    }

    private <T> T writeVersioned(Checked<T> checked) {
        return checked.knownNew() || planner.entity(checked.entity()).isNew(checked.entity())
                ? operations
                        .insert(checked.entity(), VersionedSaves.insert(checked.options()))
                        .getEntity()
                : operations
                        .update(checked.entity(), VersionedSaves.update(checked.options()))
                        .getEntity();
    }

    private OverwritePlan prepared(OverwritePlan plan) {
        OverwritePlan known = plan;
        while (!known.isReady()) {
            known = join(planner.current(known));
            known.unprepared().forEach(this::prepare);
            known = join(planner.confirmed(known));
        }
        return known;
    }

    private void prepare(Shape shape) {
        operations.getCqlOperations().execute((SessionCallback<Shape>) session -> {
            shape.prepared(session.prepare(shape.cql()));
            return shape;
        });
    }

    private void send(OverwritePlan planned, Statement<?> statement) {
        OverwritePlan plan = planned;
        try {
            execute(plan, statement);
        } catch (RuntimeException failure) {
            if (!OverwritePlanner.mayHaveChanged(plan, failure)) {
                throw failure;
            }
            plan = prepared(join(planner.afterSchemaChange(plan)));
            execute(plan, planner.statementAfterSchemaChange(plan));
        }
        listener.overwritten(plan.target().qualifiedName(), plan.kind(), plan.bytes());
        if (TieCheck.isPossible(plan)) {
            Shape readBack = TieCheck.shape(plan);
            if (!readBack.isPrepared()) {
                prepare(readBack);
            }
            TieCheck.check(plan, execute(plan, TieCheck.statement(plan)).one());
        }
    }

    /** A template's own consistency would replace that of the statement, so a chosen one goes past it. */
    private ResultSet execute(OverwritePlan plan, Statement<?> statement) {
        return plan.options().consistency() == null
                ? operations.getCqlOperations().queryForResultSet(sure(statement))
                : operations.getCqlOperations().execute((SessionCallback<ResultSet>)
                        session -> ScopedCqlSession.of(session).execute(statement));
    }

    private static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? DriverFailures.translated(cause) : failure;
        }
    }

    /** Where the template chooses an execution profile, the level is that of the profile, if it has one. */
    private Statement<?> sure(Statement<?> statement) {
        if (level == null) {
            return statement;
        }
        return operations.getCqlOperations() instanceof CassandraAccessor template
                ? level.applyTo(template.getExecutionProfileResolver().apply(statement))
                : level.applyTo(statement);
    }

    private long timestamp(OverwriteOptions options) {
        return ticks.next(options, WriteScope.current());
    }

    /**
     * An entity that can be written.
     *
     * @param entity after its first callbacks
     * @param plan how, or null for a conditional write
     */
    private record Checked<T>(T entity, @Nullable OverwritePlan plan, OverwriteOptions options, boolean knownNew) {}
}
