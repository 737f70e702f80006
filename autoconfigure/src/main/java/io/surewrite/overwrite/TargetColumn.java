package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;

/** A column that an entity writes. */
record TargetColumn(CqlIdentifier name, DataType type, ColumnRole role) {

    String cql() {
        return name.asCql(true);
    }

    boolean isList() {
        return ColumnRole.isList(type);
    }

    int fieldCount() {
        return role == ColumnRole.FIELDS && type instanceof UserDefinedType udt
                ? udt.getFieldNames().size()
                : 0;
    }

    String fieldCql(int field) {
        return cql() + "." + ((UserDefinedType) type).getFieldNames().get(field).asCql(true);
    }
}
