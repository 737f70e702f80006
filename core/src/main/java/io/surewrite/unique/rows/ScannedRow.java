package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.RowSnapshot;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row as a scan by {@link RowShape#selectRange} showed it. It may be another one by now. */
public final class ScannedRow {

    private final RowShape shape;
    private final Map<CqlIdentifier, @Nullable ByteBuffer> columns = new HashMap<>();
    private long valueWrite = RowSnapshot.NEVER;
    private long newestWrite = RowSnapshot.NEVER;

    ScannedRow(RowShape shape, List<CqlIdentifier> wanted, Row row) {
        this.shape = shape;
        int at = 0;
        for (CqlIdentifier column : shape.keyNames()) {
            columns.put(column, row.getBytesUnsafe(at++));
        }
        for (CqlIdentifier column : wanted) {
            columns.put(column, row.getBytesUnsafe(at++));
        }
        for (CqlIdentifier column : shape.columns()) {
            long written = row.isNull(at) ? RowSnapshot.NEVER : row.getLong(at);
            newestWrite = Math.max(newestWrite, written);
            valueWrite = wanted.contains(column) ? Math.max(valueWrite, written) : valueWrite;
            at++;
        }
    }

    /** {@return whether it is a row, and not what is left of a partition that has static columns alone} */
    public boolean isWhole() {
        return shape.keyNames().stream().allMatch(column -> columns.get(column) != null);
    }

    /** {@return its canonical primary key} */
    public String owner() {
        return shape.ownerOf(columns::get);
    }

    /**
     * {@return its value}
     *
     * @param constraint the constraint of the scan
     */
    public UniqueValue value(UniqueConstraint constraint) {
        return shape.value(constraint, columns::get);
    }

    /** {@return when the value was written, in microseconds; {@link RowSnapshot#NEVER} if it is all null or in the key} */
    public long valueWrite() {
        return valueWrite;
    }

    /** {@return when the newest column was written; {@link RowSnapshot#NEVER} if all are null or in the key} */
    public long newestWrite() {
        return newestWrite;
    }
}
