package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;

/** How Cassandra stores a column, as far as a retry can see it. */
public enum ColumnShape {
    /** One cell an element, under a key made by the server. */
    LIST,
    /** A set or a map: one cell an element, under the element itself or its key. */
    KEYED,
    /** Anything else: overwritten as it is said, whole or by its fields. */
    PLAIN;

    /**
     * The shape of a column.
     *
     * @param type its type
     * @return the shape
     */
    public static ColumnShape of(DataType type) {
        if (type instanceof ListType list && !list.isFrozen()) {
            return LIST;
        }
        boolean keyed =
                (type instanceof SetType set && !set.isFrozen()) || (type instanceof MapType map && !map.isFrozen());
        return keyed ? KEYED : PLAIN;
    }
}
