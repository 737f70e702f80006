package io.surewrite.internal.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;

public record TableColumn(CqlIdentifier name, DataType type, Role role) {

    /** How a column takes part in a write. */
    public enum Role {
        PARTITION_KEY,
        /** A part of the primary key behind the partition key. */
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

        /**
         * {@return whether the column is a part of the primary key}
         */
        public boolean isKey() {
            return this == PARTITION_KEY || this == CLUSTERING;
        }

        /**
         * {@return whether the column has more than one cell in the row}
         */
        public boolean isMultiCell() {
            return this == ELEMENTS || this == LIST || this == FIELDS;
        }
    }

    static TableColumn of(TableMetadata table, ColumnMetadata column) {
        return new TableColumn(column.getName(), column.getType(), role(table, column));
    }

    private static Role role(TableMetadata table, ColumnMetadata column) {
        if (table.getPartitionKey().contains(column)) {
            return Role.PARTITION_KEY;
        }
        if (table.getClusteringColumns().containsKey(column)) {
            return Role.CLUSTERING;
        }
        return column.isStatic() ? Role.STATIC : ofRegular(column.getType());
    }

    private static Role ofRegular(DataType type) {
        if (type instanceof ListType list && !list.isFrozen()) {
            return Role.LIST;
        }
        if ((type instanceof SetType set && !set.isFrozen()) || (type instanceof MapType map && !map.isFrozen())) {
            return Role.ELEMENTS;
        }
        return type instanceof UserDefinedType udt && !udt.isFrozen() ? Role.FIELDS : Role.CELL;
    }

    /**
     * Whether columns of a type have more than one cell.
     *
     * @return whether it is a collection or user-defined type that is not frozen
     */
    public static boolean isMultiCell(DataType type) {
        return ofRegular(type).isMultiCell();
    }

    /**
     * {@return the name in CQL}
     */
    public String cql() {
        return name.asCql(true);
    }

    /**
     * {@return the timestamp of its newest write in CQL, null where it is null. Cassandra tells that of several cells since
     * 5.0}
     */
    public String writeTimeCql() {
        return (role.isMultiCell() ? "MAXWRITETIME(%s)" : "WRITETIME(%s)").formatted(cql());
    }

    /**
     * {@return whether it is a non-frozen list, whatever its role}
     */
    boolean isList() {
        return ofRegular(type) == Role.LIST;
    }

    /** How many fields are written one by one. */
    int fieldCount() {
        return role == Role.FIELDS && type instanceof UserDefinedType udt
                ? udt.getFieldNames().size()
                : 0;
    }

    String fieldCql(int field) {
        return cql() + "." + ((UserDefinedType) type).getFieldNames().get(field).asCql(true);
    }
}
