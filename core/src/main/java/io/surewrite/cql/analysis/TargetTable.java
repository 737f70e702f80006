package io.surewrite.cql.analysis;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.CustomType;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.TupleType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.type.VectorType;
import java.util.Optional;

/** What the check asks about the table a statement writes. */
final class TargetTable {

    private static final CqlIdentifier DEFAULT_TTL = CqlIdentifier.fromInternal("default_time_to_live");

    private final TableMetadata metadata;

    TargetTable(TableMetadata metadata) {
        this.metadata = metadata;
    }

    TableMetadata metadata() {
        return metadata;
    }

    CqlIdentifier keyspace() {
        return metadata.getKeyspace();
    }

    Optional<ColumnShape> shapeOf(CqlIdentifier column) {
        return metadata.getColumn(column).map(ColumnMetadata::getType).map(ColumnShape::of);
    }

    boolean has(ColumnShape shape) {
        return metadata.getColumns().values().stream().anyMatch(column -> ColumnShape.of(column.getType()) == shape);
    }

    /** Why no write to this table at all may be retried, if so. */
    Optional<RefusalReason> reasonAgainst() {
        if (has(ColumnShape.COUNTER)) {
            return Optional.of(RefusalReason.COUNTER);
        }
        // A virtual table does whatever its code does.
        return metadata.isVirtual() ? Optional.of(RefusalReason.NOT_A_ROW_WRITE) : Optional.empty();
    }

    /** Whether rows written without a word on it live forever; false if the metadata does not say. */
    boolean keepsRowsForever() {
        return metadata.getOptions().get(DEFAULT_TTL) instanceof Number ttl && ttl.longValue() == 0;
    }

    /** Whether a text that says now could mean the current time somewhere in a row. */
    boolean hasTimestamps() {
        return metadata.getColumns().values().stream().anyMatch(column -> mayHoldTimestamp(column.getType()));
    }

    private static boolean mayHoldTimestamp(DataType type) {
        if (type instanceof ListType list) {
            return mayHoldTimestamp(list.getElementType());
        } else if (type instanceof SetType set) {
            return mayHoldTimestamp(set.getElementType());
        } else if (type instanceof MapType map) {
            return mayHoldTimestamp(map.getKeyType()) || mayHoldTimestamp(map.getValueType());
        } else if (type instanceof TupleType tuple) {
            return tuple.getComponentTypes().stream().anyMatch(TargetTable::mayHoldTimestamp);
        } else if (type instanceof UserDefinedType udt) {
            return udt.getFieldTypes().stream().anyMatch(TargetTable::mayHoldTimestamp);
        } else if (type instanceof VectorType vector) {
            return mayHoldTimestamp(vector.getElementType());
        }
        return type.equals(DataTypes.TIMESTAMP) || type instanceof CustomType;
    }
}
