package io.surewrite.overwrite;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks that the rows for one partition are rows of it, each once. */
final class PartitionRows {

    private final OverwriteTarget target;
    private final List<ByteBuffer> partition;

    PartitionRows(OverwriteTarget target, RowValues partition) {
        this.target = target;
        this.partition = partition.key(target.partitionKey());
    }

    void check(OverwritePlan plan) {
        Set<List<ByteBuffer>> keys = new HashSet<>();
        for (RowWrite write : plan.rows()) {
            RowValues row = write.values();
            if (!row.key(target.partitionKey()).equals(partition)) {
                throw new ForeignRowException("A row given for a partition of " + target.qualifiedName()
                        + " has another partition key: nothing was replaced.");
            }
            if (!keys.add(row.key(target.primaryKey()))) {
                throw new UnsupportedOverwriteException(
                        "Two rows given for a partition of " + target.qualifiedName() + " have the same primary key.");
            }
        }
    }
}
