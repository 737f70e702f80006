package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.data.CqlDuration;
import com.datastax.oss.driver.api.core.data.CqlVector;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.TupleType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.type.VectorType;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A value for every bind marker, the same for every attempt. */
final class BoundValues {

    private static final UUID TIME_UUID = Uuids.startOf(1_600_000_000_000L);
    private static final Map<DataType, Object> NATIVE = Map.ofEntries(
            Map.entry(DataTypes.INT, 1),
            Map.entry(DataTypes.BIGINT, 2L),
            Map.entry(DataTypes.COUNTER, 3L),
            Map.entry(DataTypes.TEXT, "bound"),
            Map.entry(DataTypes.ASCII, "bound"),
            Map.entry(DataTypes.BOOLEAN, true),
            Map.entry(DataTypes.DOUBLE, 1.5),
            Map.entry(DataTypes.FLOAT, 1.5f),
            Map.entry(DataTypes.DECIMAL, new BigDecimal("2.50")),
            Map.entry(DataTypes.DURATION, CqlDuration.from("1h")),
            Map.entry(DataTypes.TIMESTAMP, Instant.ofEpochMilli(1_600_000_000_000L)),
            Map.entry(DataTypes.DATE, LocalDate.of(2020, 1, 2)),
            Map.entry(DataTypes.TIME, LocalTime.of(3, 4)),
            Map.entry(DataTypes.INET, InetAddress.getLoopbackAddress()),
            Map.entry(DataTypes.UUID, new UUID(1, 2)),
            Map.entry(DataTypes.TIMEUUID, TIME_UUID),
            Map.entry(DataTypes.BLOB, ByteBuffer.wrap(new byte[] {1, 2})));

    private BoundValues() {}

    static Object of(ColumnDefinition variable, long timestamp) {
        return switch (variable.getName().asInternal()) {
            case "[timestamp]" -> timestamp;
            case "[ttl]" -> 60;
            case "idx(l)", "idx(shared)" -> 0;
            default -> of(variable.getType());
        };
    }

    private static Object of(DataType type) {
        if (type instanceof ListType list) {
            return List.of(of(list.getElementType()));
        } else if (type instanceof SetType set) {
            return Set.of(of(set.getElementType()));
        } else if (type instanceof MapType map) {
            return Map.of(of(map.getKeyType()), of(map.getValueType()));
        } else if (type instanceof UserDefinedType udt) {
            return udt.newValue(
                    udt.getFieldTypes().stream().map(BoundValues::of).toArray());
        } else if (type instanceof TupleType tuple) {
            return tuple.newValue(
                    tuple.getComponentTypes().stream().map(BoundValues::of).toArray());
        } else if (type instanceof VectorType) {
            return CqlVector.newInstance(0.1f, 0.2f, 0.3f);
        }
        Object value = NATIVE.get(type);
        if (value == null) {
            throw new IllegalArgumentException("No value for " + type);
        }
        return value;
    }
}
