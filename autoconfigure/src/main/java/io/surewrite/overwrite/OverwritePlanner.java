package io.surewrite.overwrite;

import io.surewrite.overwrite.OverwritePlan.Part;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
        RowWrite write = read(entity, target, options, timestamp);
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
        parts.add(new Part(
                Shapes.of(target, ShapeKind.DELETE_PARTITION),
                new RowWrite(partition, timestamp, rules.ttlSeconds(options))));
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

    /** Two writes of one row with one timestamp would be mixed cell by cell. */
    static void refuseRepeatedRows(List<OverwritePlan> plans) {
        Set<List<Object>> seen = new HashSet<>();
        for (OverwritePlan plan : plans) {
            List<ByteBuffer> key = plan.first().values().key(plan.target().primaryKey());
            if (!seen.add(List.of(plan.target().qualifiedName(), plan.first().timestamp(), key))) {
                throw new UnsupportedOverwriteException("Two entities are the same row of "
                        + plan.target().qualifiedName()
                        + " and would carry the same timestamp, so that the row would become a mix of both: give one.");
            }
        }
    }

    private RowWrite read(Object entity, OverwriteTarget target, OverwriteOptions options, long timestamp) {
        Objects.requireNonNull(entity, "entity");
        RowWrite write = new RowWrite(reader.row(entity, target), timestamp, rules.ttlSeconds(options));
        if (write.ends() && write.values().hasAny(target.statics())) {
            throw new UnsupportedOverwriteException("A time to live would also end the static columns of "
                    + target.qualifiedName() + ", which all rows of the partition share."
                    + " Write those by themselves, without one, and leave them null here.");
        }
        return write;
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
