package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TimedRow;
import io.surewrite.overwrite.OverwritePlan.OverwriteKind;
import io.surewrite.write.WriteScope;
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

    /** Rows may have timestamps of their own, but of two values of what they share one would be wrong. */
    private static final long ANY_TIMESTAMP = 0;

    /** The {@link TimedRow} of each row, and the bytes of each static column. */
    private final Map<Part, Object> written = new HashMap<>();

    /** The primary key of a row, or the name of a static column of a partition. */
    private record Part(List<Object> table, List<ByteBuffer> partition, Object what, long timestamp) {}

    static void admit(List<OverwritePlan> plans, @Nullable WriteScope scope) {
        if (scope != null) {
            scope.notes().get(WrittenRows.class, WrittenRows::new).add(plans);
        } else if (plans.size() > 1 || plans.stream().anyMatch(plan -> plan.kind() == OverwriteKind.PARTITION)) {
            new WrittenRows().add(plans);
        }
    }

    private synchronized void add(List<OverwritePlan> plans) {
        Map<Part, Object> added = new HashMap<>();
        for (OverwritePlan plan : plans) {
            RowTable table = plan.target().table();
            if (plan.kind() == OverwriteKind.PARTITION) {
                requireReplaceable(plan);
            }
            for (TimedRow row : plan.rows()) {
                parts(table, row).forEach((part, value) -> {
                    requireSame(table, part, written.get(part), value);
                    requireSame(table, part, added.put(part, value), value);
                });
            }
        }
        written.putAll(added);
    }

    private static Map<Part, Object> parts(RowTable table, TimedRow row) {
        List<ByteBuffer> partition = row.key(table.partitionKey());
        Map<Part, Object> parts = new HashMap<>();
        parts.put(new Part(table.place(), partition, row.key(table.primaryKey()), row.timestamp()), row);
        for (TableColumn column : table.statics()) {
            ByteBuffer value = row.get(column);
            if (value != null) {
                parts.put(new Part(table.place(), partition, column.name(), ANY_TIMESTAMP), value);
            }
        }
        return parts;
    }

    /** The deletion of a partition is one tick too old for what the attempt has written into it. */
    private void requireReplaceable(OverwritePlan plan) {
        RowTable table = plan.target().table();
        List<ByteBuffer> partition = plan.first().key(table.partitionKey());
        Set<Part> replacing = new HashSet<>();
        plan.rows().forEach(row -> replacing.addAll(parts(table, row).keySet()));
        if (written.keySet().stream()
                .anyMatch(part -> part.table().equals(table.place())
                        && part.partition().equals(partition)
                        && !replacing.contains(part))) {
            throw OverwriteException.unsupported("A partition of " + table.qualifiedName() + " is replaced after rows"
                    + " of it were overwritten with the same timestamp, which would survive. Fix: do it in the other order, or"
                    + " in a logical write of its own.");
        }
    }

    private static void requireSame(RowTable table, Part part, @Nullable Object before, Object value) {
        if (before instanceof TimedRow other && !other.isSame((TimedRow) value)) {
            throw OverwriteException.unsupported("Two entities are the same row of " + table.qualifiedName()
                    + " and would carry the same timestamp, so that the row would become a mix of both. Fix: give one, or"
                    + " overwrite the row again in a logical write of its own.");
        }
        if (part.what() instanceof CqlIdentifier column && before != null && !before.equals(value)) {
            throw OverwriteException.unsupported(
                    "Rows given for a partition of " + table.qualifiedName() + " differ in the static column "
                            + column.asCql(true) + ", which they share. Fix: give each the same value.");
        }
    }
}
