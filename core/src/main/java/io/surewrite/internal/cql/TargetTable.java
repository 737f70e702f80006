package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.ContainerType;
import com.datastax.oss.driver.api.core.type.CustomType;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.TupleType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import io.surewrite.internal.cql.TableLookup.ColumnShape;
import java.util.Optional;
import java.util.function.Predicate;

/** What the check asks about the table a statement writes. */
record TargetTable(TableMetadata metadata) {

    private static final CqlIdentifier DEFAULT_TTL = CqlIdentifier.fromInternal("default_time_to_live");

    Optional<ColumnShape> shapeOf(CqlIdentifier column) {
        return metadata.getColumn(column).map(ColumnMetadata::getType).map(ColumnShape::of);
    }

    private boolean hasColumn(Predicate<DataType> type) {
        return metadata.getColumns().values().stream()
                .map(ColumnMetadata::getType)
                .anyMatch(type);
    }

    /** Why no write to this table at all may be retried, if so. */
    Optional<RefusalReason> reasonAgainst() {
        if (hasColumn(DataTypes.COUNTER::equals)) {
            return Optional.of(RefusalReason.COUNTER);
        }
        // A virtual table does whatever its code does.
        return metadata.isVirtual() ? Optional.of(RefusalReason.NOT_A_ROW_WRITE) : Optional.empty();
    }

    /** Whether rows written without a word on it live forever; false if the metadata does not say. */
    boolean keepsRowsForever() {
        return metadata.getOptions().get(DEFAULT_TTL) instanceof Number ttl && ttl.longValue() == 0;
    }

    /** Whether a JSON text may hold a non-frozen list. */
    boolean hasLists() {
        return hasColumn(type -> ColumnShape.of(type) == ColumnShape.LIST);
    }

    /** Whether a text that says now could mean the current time somewhere in a row. */
    boolean hasTimestamps() {
        return hasColumn(TargetTable::mayHoldTimestamp);
    }

    private static boolean mayHoldTimestamp(DataType type) {
        if (type instanceof ContainerType container) { // a list, a set or a vector
            return mayHoldTimestamp(container.getElementType());
        } else if (type instanceof MapType map) {
            return mayHoldTimestamp(map.getKeyType()) || mayHoldTimestamp(map.getValueType());
        } else if (type instanceof TupleType tuple) {
            return tuple.getComponentTypes().stream().anyMatch(TargetTable::mayHoldTimestamp);
        } else if (type instanceof UserDefinedType udt) {
            return udt.getFieldTypes().stream().anyMatch(TargetTable::mayHoldTimestamp);
        }
        return type.equals(DataTypes.TIMESTAMP) || type instanceof CustomType;
    }
}
