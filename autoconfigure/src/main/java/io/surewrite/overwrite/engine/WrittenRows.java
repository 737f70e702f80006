package io.surewrite.overwrite.engine;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.WriteScope;
import io.surewrite.overwrite.OverwriteKind;
import io.surewrite.overwrite.UnsupportedOverwriteException;
import io.surewrite.rows.EntityTable;
import io.surewrite.rows.TableColumn;
import io.surewrite.rows.TableShape;
import io.surewrite.rows.TimedRow;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one attempt of a logical write has overwritten. All carry its timestamp, and Cassandra settles writes of
 * one timestamp cell by cell: a second, different overwrite of a row would leave a mix of both.
 */
final class WrittenRows {

    private static final long ANY_TIMESTAMP = 0;

    private final Map<RowKey, TimedRow> rows = new HashMap<>();
    private final Map<StaticKey, ByteBuffer> statics = new HashMap<>();

    private record RowKey(TableShape.Place table, List<ByteBuffer> key, long timestamp) {}

    private record StaticKey(
            TableShape.Place table, List<ByteBuffer> partition, CqlIdentifier column, long timestamp) {}

    /**
     * Notes what is about to be sent.
     *
     * @param plans the overwrites of one call
     * @param scope the logical write they belong to, if any
     * @throws UnsupportedOverwriteException if they contradict each other, or what the attempt has sent before
     */
    static void admit(List<OverwritePlan> plans, @Nullable WriteScope scope) {
        if (scope != null) {
            scope.notes().get(WrittenRows.class, WrittenRows::new).add(plans);
        } else if (plans.size() > 1 || plans.stream().anyMatch(plan -> plan.kind() == OverwriteKind.PARTITION)) {
            new WrittenRows().add(plans);
        }
    }

    private synchronized void add(List<OverwritePlan> plans) {
        Map<RowKey, TimedRow> addedRows = new HashMap<>();
        Map<StaticKey, ByteBuffer> addedStatics = new HashMap<>();
        Map<StaticKey, ByteBuffer> staticsOfCall = new HashMap<>();
        for (OverwritePlan plan : plans) {
            EntityTable target = plan.target();
            if (plan.kind() == OverwriteKind.PARTITION) {
                requireReplaceable(plan);
            }
            for (TimedRow write : plan.rows()) {
                RowKey row = rowKey(target, write);
                requireSame(target, rows.get(row), write);
                requireSame(target, addedRows.put(row, write), write);
                for (TableColumn column : target.statics()) {
                    ByteBuffer value = write.values().get(column);
                    if (value != null) {
                        StaticKey key = staticKey(target, write, column, write.timestamp());
                        requireSame(target, column, statics.get(key), value);
                        addedStatics.put(key, value);
                        // Each row of a call may have a timestamp of its own, but one of them would be wrong.
                        StaticKey inCall = staticKey(target, write, column, ANY_TIMESTAMP);
                        requireSame(target, column, staticsOfCall.put(inCall, value), value);
                    }
                }
            }
        }
        rows.putAll(addedRows);
        statics.putAll(addedStatics);
    }

    /** The deletion of a partition is one tick too old for what the attempt has written into it. */
    private void requireReplaceable(OverwritePlan plan) {
        EntityTable target = plan.target();
        List<ByteBuffer> partition = plan.first().values().key(target.partitionKey());
        Set<RowKey> replacing = new HashSet<>();
        Set<StaticKey> shared = new HashSet<>();
        for (TimedRow write : plan.rows()) {
            replacing.add(rowKey(target, write));
            for (TableColumn column : target.statics()) {
                if (write.values().has(column)) {
                    shared.add(staticKey(target, write, column, write.timestamp()));
                }
            }
        }
        boolean survives = rows.keySet().stream()
                        .filter(row -> row.table().equals(target.place())
                                && row.timestamp() == plan.first().timestamp()
                                && row.key().subList(0, partition.size()).equals(partition))
                        .anyMatch(row -> !replacing.contains(row))
                || statics.keySet().stream()
                        .filter(key -> key.table().equals(target.place())
                                && key.timestamp() == plan.first().timestamp()
                                && key.partition().equals(partition))
                        .anyMatch(key -> !shared.contains(key));
        if (survives) {
            throw new UnsupportedOverwriteException(
                    "A partition of " + target.qualifiedName() + " is replaced after rows"
                            + " of it were overwritten with the same timestamp, which would survive: do it in the other order, or"
                            + " in a logical write of its own.");
        }
    }

    private static void requireSame(EntityTable target, @Nullable TimedRow before, TimedRow write) {
        if (before != null && !before.isSame(write)) {
            throw new UnsupportedOverwriteException("Two entities are the same row of " + target.qualifiedName()
                    + " and would carry the same timestamp, so that the row would become a mix of both: give one, or"
                    + " overwrite the row again in a logical write of its own.");
        }
    }

    private static void requireSame(
            EntityTable target, TableColumn column, @Nullable ByteBuffer before, ByteBuffer value) {
        if (before != null && !before.equals(value)) {
            throw new UnsupportedOverwriteException("Rows given for a partition of " + target.qualifiedName()
                    + " differ in the static column " + column.cql() + ", which they share.");
        }
    }

    private static RowKey rowKey(EntityTable target, TimedRow write) {
        return new RowKey(target.place(), write.values().key(target.primaryKey()), write.timestamp());
    }

    private static StaticKey staticKey(EntityTable target, TimedRow write, TableColumn column, long timestamp) {
        return new StaticKey(target.place(), write.values().key(target.partitionKey()), column.name(), timestamp);
    }
}
