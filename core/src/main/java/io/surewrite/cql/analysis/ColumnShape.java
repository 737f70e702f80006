package io.surewrite.cql.analysis;

import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;

/** How Cassandra stores a column, as far as a retry can see it. */
enum ColumnShape {
    COUNTER,
    /** One cell an element, under a key made by the server. */
    LIST,
    /** One cell an element, under the element itself. */
    SET,
    /** One cell an entry, under its key. */
    MAP,
    /** Anything else: overwritten as it is said, whole or by its fields. */
    PLAIN;

    static ColumnShape of(DataType type) {
        if (type.equals(DataTypes.COUNTER)) {
            return COUNTER;
        }
        if (type instanceof ListType list && !list.isFrozen()) {
            return LIST;
        }
        if (type instanceof SetType set && !set.isFrozen()) {
            return SET;
        }
        return type instanceof MapType map && !map.isFrozen() ? MAP : PLAIN;
    }
}
