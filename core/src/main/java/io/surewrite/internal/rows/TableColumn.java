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

        public boolean isKey() {
            return this == PARTITION_KEY || this == CLUSTERING;
        }

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
        return column.isStatic() ? Role.STATIC : roleOf(column.getType());
    }

    /** Of a column that is neither in the key nor static. */
    public static Role roleOf(DataType type) {
        if (type instanceof ListType list && !list.isFrozen()) {
            return Role.LIST;
        }
        if ((type instanceof SetType set && !set.isFrozen()) || (type instanceof MapType map && !map.isFrozen())) {
            return Role.ELEMENTS;
        }
        return type instanceof UserDefinedType udt && !udt.isFrozen() ? Role.FIELDS : Role.CELL;
    }

    public static boolean isMultiCell(DataType type) {
        return roleOf(type).isMultiCell();
    }

    public String cql() {
        return name.asCql(true);
    }

    /** The timestamp of its newest write, null where it is null. Cassandra tells that of several cells since 5.0. */
    public String writeTimeCql() {
        return (role.isMultiCell() ? "MAXWRITETIME(%s)" : "WRITETIME(%s)").formatted(cql());
    }

    /** Whatever its role. */
    public boolean isList() {
        return roleOf(type) == Role.LIST;
    }

    int fieldCount() {
        return role == Role.FIELDS && type instanceof UserDefinedType udt
                ? udt.getFieldNames().size()
                : 0;
    }

    String fieldCql(int field) {
        return cql() + "." + ((UserDefinedType) type).getFieldNames().get(field).asCql(true);
    }
}
