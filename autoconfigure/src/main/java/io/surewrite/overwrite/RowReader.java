package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.data.UdtValue;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.MapId;

/** Turns entities into encoded rows by Spring Data's own mapping. */
final class RowReader {

    private final CqlSession session;
    private final CassandraConverter converter;

    RowReader(CqlSession session, CassandraConverter converter) {
        this.session = session;
        this.converter = converter;
    }

    RowValues row(Object entity, OverwriteTarget target) {
        Map<CqlIdentifier, @Nullable Object> written = new LinkedHashMap<>();
        converter.write(entity, written, target.entity());
        RowValues values = new RowValues();
        for (TargetColumn column : target.columns()) {
            Object value = written.get(column.name());
            if (value != null && !isEmpty(value, column)) {
                put(values, column, value, target);
            }
        }
        requireKey(values, target, entity.getClass().getName());
        return values;
    }

    /** The values of a partition key given by itself, as a {@link MapId}, or as the primary key class. */
    RowValues partition(Object key, OverwriteTarget target) {
        RowValues values = new RowValues();
        Map<CqlIdentifier, @Nullable Object> written = parts(key, target);
        for (TargetColumn column : target.partitionKey()) {
            Object value = written.get(column.name());
            if (value != null) {
                put(values, column, value, target);
            }
        }
        requirePartitionKey(values, target, "The partition key given");
        return values;
    }

    private Map<CqlIdentifier, @Nullable Object> parts(Object key, OverwriteTarget target) {
        Map<CqlIdentifier, @Nullable Object> parts = new LinkedHashMap<>();
        CassandraPersistentEntity<?> keyClass = converter.getMappingContext().getPersistentEntity(key.getClass());
        if (keyClass != null && keyClass.isCompositePrimaryKey()) {
            converter.write(key, parts, keyClass);
        } else if (key instanceof MapId named) {
            for (TargetColumn column : target.partitionKey()) {
                CassandraPersistentProperty property = target.property(column);
                Object value = named.get(property.getName());
                parts.put(
                        column.name(),
                        convert(value != null ? value : named.get(column.name().asInternal()), property));
            }
        } else if (target.partitionKey().size() == 1) {
            TargetColumn column = target.partitionKey().get(0);
            parts.put(column.name(), convert(key, target.property(column)));
        }
        return parts;
    }

    private @Nullable Object convert(@Nullable Object value, CassandraPersistentProperty property) {
        return value == null
                ? null
                : converter.convertToColumnType(
                        value, converter.getColumnTypeResolver().resolve(property));
    }

    private void put(RowValues values, TargetColumn column, Object value, OverwriteTarget target) {
        ByteBuffer bytes = encoded(column, value, target);
        if (bytes == null) {
            return;
        }
        values.put(column, bytes);
        if (value instanceof UdtValue udt) {
            for (int i = 0; i < column.fieldCount(); i++) {
                ByteBuffer field = udt.getBytesUnsafe(i);
                if (field != null) {
                    values.putField(column, i, field);
                }
            }
        }
    }

    private @Nullable ByteBuffer encoded(TargetColumn column, Object value, OverwriteTarget target) {
        try {
            return session.getContext()
                    .getCodecRegistry()
                    .codecFor(column.type(), value)
                    .encode(value, session.getContext().getProtocolVersion());
        } catch (RuntimeException wrong) { // a codec may throw any
            throw new InvalidValueException(
                    "Column " + column.cql() + " of " + target.qualifiedName() + ", which is "
                            + column.type().asCql(true, true) + ", cannot hold the value given: " + wrong.getMessage()
                            + ". Collections hold no nulls, and vectors have all their dimensions.",
                    wrong);
        }
    }

    private static boolean isEmpty(Object value, TargetColumn column) {
        return ColumnRole.isMultiCell(column.type())
                && ((value instanceof Collection<?> elements && elements.isEmpty())
                        || (value instanceof Map<?, ?> entries && entries.isEmpty()));
    }

    private static void requireKey(RowValues values, OverwriteTarget target, String type) {
        for (TargetColumn column : target.primaryKey()) {
            if (!values.has(column)) {
                throw new MissingKeyException("An entity of " + type + " has no value for " + column.cql()
                        + " of the primary key of " + target.qualifiedName() + ".");
            }
        }
        requirePartitionKey(values, target, "The partition key of an entity of " + type);
    }

    private static void requirePartitionKey(RowValues values, OverwriteTarget target, String what) {
        if (!values.hasAll(target.partitionKey())) {
            throw new MissingKeyException(what + " has no value for one of the partition key's columns of "
                    + target.qualifiedName() + ", which are " + names(target) + ".");
        }
        boolean empty = target.partitionKey().size() == 1
                && !values.key(target.partitionKey()).get(0).hasRemaining();
        if (empty) {
            throw new MissingKeyException(what + " is empty, which Cassandra does not allow.");
        }
    }

    private static String names(OverwriteTarget target) {
        return String.join(
                ", ", target.partitionKey().stream().map(TargetColumn::cql).toList());
    }
}
