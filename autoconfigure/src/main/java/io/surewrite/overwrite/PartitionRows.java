package io.surewrite.overwrite;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that the rows for one partition fit together: they are written with one timestamp. */
final class PartitionRows {

    private final OverwriteTarget target;
    private final List<ByteBuffer> partition;

    PartitionRows(OverwriteTarget target, RowValues partition) {
        this.target = target;
        this.partition = partition.key(target.partitionKey());
    }

    void check(OverwritePlan plan) {
        List<RowValues> rows = plan.parts().stream()
                .skip(1)
                .map(part -> part.write().values())
                .distinct()
                .toList();
        Set<List<ByteBuffer>> keys = new HashSet<>();
        Map<TargetColumn, ByteBuffer> statics = new HashMap<>();
        for (RowValues row : rows) {
            if (!row.key(target.partitionKey()).equals(partition)) {
                throw new ForeignRowException("A row given for a partition of " + target.qualifiedName()
                        + " has another partition key: nothing was replaced.");
            }
            if (!keys.add(row.key(target.primaryKey()))) {
                throw new UnsupportedOverwriteException(
                        "Two rows given for a partition of " + target.qualifiedName() + " have the same primary key.");
            }
            for (TargetColumn column : target.statics()) {
                ByteBuffer value = row.get(column);
                ByteBuffer other = value == null ? null : statics.putIfAbsent(column, value);
                if (other != null && !other.equals(value)) {
                    throw new UnsupportedOverwriteException("Rows given for a partition of " + target.qualifiedName()
                            + " differ in the static column " + column.cql() + ", which they share.");
                }
            }
        }
    }
}
