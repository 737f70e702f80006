package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;

/** How a column takes part in an overwrite. */
enum ColumnRole {
    PARTITION_KEY,
    CLUSTERING,
    /** One cell of the row. */
    CELL,
    /** Shared by the rows of the partition, so not touched by the deletion of a row. */
    STATIC,
    /** A non-frozen set or map: assigning it would write a deletion of its own, adding to it does not. */
    ELEMENTS,
    /** A non-frozen list: as {@link #ELEMENTS}, and adding to it is not idempotent. */
    LIST,
    /** A non-frozen user-defined type, written field by field for the same reason. */
    FIELDS;

    static ColumnRole of(TableMetadata table, ColumnMetadata column) {
        if (table.getPartitionKey().contains(column)) {
            return PARTITION_KEY;
        }
        if (table.getClusteringColumns().containsKey(column)) {
            return CLUSTERING;
        }
        return column.isStatic() ? STATIC : ofRegular(column.getType());
    }

    private static ColumnRole ofRegular(DataType type) {
        if (isList(type)) {
            return LIST;
        }
        if ((type instanceof SetType set && !set.isFrozen()) || (type instanceof MapType map && !map.isFrozen())) {
            return ELEMENTS;
        }
        return type instanceof UserDefinedType udt && !udt.isFrozen() ? FIELDS : CELL;
    }

    /** Whether columns of the type have more than one cell. */
    static boolean isMultiCell(DataType type) {
        return ofRegular(type).isMultiCell();
    }

    static boolean isList(DataType type) {
        return type instanceof ListType list && !list.isFrozen();
    }

    boolean isKey() {
        return this == PARTITION_KEY || this == CLUSTERING;
    }

    /** Whether the column has more than one cell in the row. */
    boolean isMultiCell() {
        return this == ELEMENTS || this == LIST || this == FIELDS;
    }
}
