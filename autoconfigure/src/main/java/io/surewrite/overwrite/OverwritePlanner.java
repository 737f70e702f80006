package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.session.ForgottenStatements;
import io.surewrite.overwrite.OverwritePlan.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;

/** Decides how to write, and refuses what cannot be written as one mutation. */
final class OverwritePlanner {

    private final OverwriteTargets targets;
    private final RowReader reader;
    private final OverwriteRules rules;

    OverwritePlanner(OverwriteTargets targets, RowReader reader, OverwriteRules rules) {
        this.targets = targets;
        this.reader = reader;
        this.rules = rules;
    }

    void check(OverwriteOptions options) {
        rules.ttlSeconds(options);
        if (options.timestamp() != null) {
            rules.checkTimestamp(options.timestamp());
        }
    }

    static <T> T required(@Nullable T entity) {
        if (entity == null) {
            throw new NullEntityException("There is no row to write: the entity is null.");
        }
        return entity;
    }

    OverwriteTarget target(Class<?> type) {
        OverwriteTarget target = targets.target(targets.entity(type));
        rules.checkLists(target);
        return target;
    }

    CassandraPersistentEntity<?> entity(Object entity) {
        return targets.entity(entity.getClass());
    }

    OverwritePlan overwrite(Object entity, OverwriteOptions options, long timestamp) {
        OverwriteTarget target = target(entity.getClass());
        return overwrite(target, read(entity, target, options, timestamp), options);
    }

    /** The same row for the table as it is known now. */
    OverwritePlan again(OverwritePlan plan, long timestamp) {
        OverwriteTarget target = targets.target(plan.target().entity());
        return overwrite(target, plan.first().at(timestamp), plan.options());
    }

    private OverwritePlan overwrite(OverwriteTarget target, RowWrite write, OverwriteOptions options) {
        boolean replaces = !target.multiCells().isEmpty() || !write.values().hasAll(target.cells());
        if (!replaces) {
            return plan(target, OverwriteKind.INSERT, ShapeKind.INSERT, write, options);
        }
        if (target.hasUnmappedColumns()) {
            return plan(target, OverwriteKind.NULLS, ShapeKind.INSERT_NULLS, write, options);
        }
        ShapeKind shape = extendsCollections(target, write) ? ShapeKind.REPLACE_AND_EXTEND : ShapeKind.REPLACE;
        return plan(target, OverwriteKind.ROW, shape, write, options);
    }

    OverwritePlan insertNew(Object entity, OverwriteOptions options, long timestamp) {
        OverwriteTarget target = target(entity.getClass());
        RowWrite write = read(entity, target, options, timestamp);
        ShapeKind shape = extendsCollections(target, write) ? ShapeKind.INSERT_AND_EXTEND : ShapeKind.INSERT;
        return plan(target, OverwriteKind.INSERT, shape, write, options);
    }

    OverwritePlan partition(Class<?> type, Object key, List<?> entities, OverwriteOptions options, long timestamp) {
        OverwriteTarget target = target(type);
        if (target.entity().hasVersionProperty() || options.detectTies()) {
            throw new UnsupportedOverwriteException("A partition is replaced by one plain mutation: neither versions of"
                    + " entities nor ties of its rows can be checked. Overwrite the rows one by one.");
        }
        RowValues partition = reader.partition(key, target);
        List<Part> parts = new ArrayList<>();
        parts.add(
                new Part(Shapes.of(target, ShapeKind.DELETE_PARTITION), write(partition, target, options, timestamp)));
        for (Object entity : entities) {
            RowWrite write = read(entity, target, options, timestamp);
            parts.add(new Part(Shapes.of(target, ShapeKind.INSERT), write));
            if (extendsCollections(target, write)) {
                parts.add(new Part(Shapes.of(target, ShapeKind.EXTEND), write));
            }
        }
        OverwritePlan plan = new OverwritePlan(target, OverwriteKind.PARTITION, parts, options);
        new PartitionRows(target, partition).check(plan);
        rules.checkSize(target, plan.bytes());
        rules.checkStatements(target, parts.size());
        return plan;
    }

    /** The mutation; every shape must have been prepared. */
    Statement<?> statement(OverwritePlan plan) {
        if (plan.kind() == OverwriteKind.ROW) {
            // Another process may have added a column, which the deletion of the row would erase.
            plan.prepared().forEach(targets::reportForgotten);
        }
        return plan.statement();
    }

    /**
     * Looks at the table before a statement is prepared that deletes a row: once prepared, it is known again to the nodes,
     * also for those processes that have not heard of a new column.
     *
     * @return the same plan, or another one
     */
    CompletionStage<OverwritePlan> current(OverwritePlan plan) {
        if (plan.kind() != OverwriteKind.ROW || plan.unprepared().isEmpty()) {
            return CompletableFuture.completedFuture(plan);
        }
        return targets.isUpToDate(plan.target())
                .thenCompose(upToDate -> upToDate ? CompletableFuture.completedFuture(plan) : afterSchemaChange(plan));
    }

    /**
     * Looks at the table again after it was prepared: from then on the nodes forget it when the table changes.
     *
     * @return the same plan, or another one, to be prepared
     */
    CompletionStage<OverwritePlan> confirmed(OverwritePlan plan) {
        if (plan.isReady()) {
            return CompletableFuture.completedFuture(plan);
        }
        return targets.isUpToDate(plan.target()).thenCompose(upToDate -> {
            if (!upToDate) {
                return afterSchemaChange(plan);
            }
            plan.confirm();
            return CompletableFuture.completedFuture(plan);
        });
    }

    /**
     * Whether a node has forgotten what an overwrite sent, so that the table may have another column now. Nothing was
     * applied.
     */
    static boolean mayHaveChanged(OverwritePlan plan, Throwable failure) {
        return plan.kind() == OverwriteKind.ROW && ForgottenStatements.isReported(failure);
    }

    /** Looks at the table again, once all nodes agree on it. */
    CompletionStage<OverwritePlan> afterSchemaChange(OverwritePlan plan) {
        return targets.refresh().thenApply(refreshed -> again(plan, plan.first().timestamp()));
    }

    /** The mutation after {@link #afterSchemaChange}. What has not changed was forgotten for another reason. */
    Statement<?> statementAfterSchemaChange(OverwritePlan plan) {
        plan.prepared().forEach(targets::prepareAgain);
        return plan.statement();
    }

    private RowWrite read(Object entity, OverwriteTarget target, OverwriteOptions options, long timestamp) {
        RowWrite write = write(reader.row(entity, target), target, options, timestamp);
        if (write.ends() && write.values().hasAny(target.statics())) {
            String whose = write.ttl() == null ? "The default_time_to_live" : "A time to live";
            throw new UnsupportedOverwriteException(whose + " would also end the static columns of "
                    + target.qualifiedName() + ", which all rows of the partition share."
                    + " Write those by themselves, with a time to live of zero, and leave them null here.");
        }
        return write;
    }

    private RowWrite write(RowValues values, OverwriteTarget target, OverwriteOptions options, long timestamp) {
        Integer ttl = rules.ttlSeconds(options);
        return new RowWrite(values, timestamp, ttl, ttl == null ? target.rowsEnd() : ttl > 0);
    }

    private static boolean extendsCollections(OverwriteTarget target, RowWrite write) {
        return write.values().hasAny(target.multiCells());
    }

    private OverwritePlan plan(
            OverwriteTarget target, OverwriteKind kind, ShapeKind shape, RowWrite write, OverwriteOptions options) {
        rules.checkSize(target, write.values().size());
        return new OverwritePlan(target, kind, List.of(new Part(Shapes.of(target, shape), write)), options);
    }
}
