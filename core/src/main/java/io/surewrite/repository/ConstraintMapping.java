package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.unique.UniqueCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.data.cassandra.core.convert.CassandraConversionContext;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.event.AfterConvertEvent;
import org.springframework.data.cassandra.core.mapping.event.AfterLoadEvent;
import org.springframework.data.convert.PropertyValueConverter;
import org.springframework.data.mapping.model.PropertyValueProvider;

/** Spring Data's mapping, as far as looking for values needs it. */
record ConstraintMapping(
        CassandraConverter converter,
        ApplicationEventPublisher events,
        List<CassandraPersistentProperty> properties,
        CqlIdentifier table)
        implements UniqueCatalog.Mapping {

    /** A value that is looked for comes without an entity. */
    private static final PropertyValueProvider<CassandraPersistentProperty> ALONE = new PropertyValueProvider<>() {

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // as Spring declares it
        public <T> @Nullable T getPropertyValue(CassandraPersistentProperty property) {
            return null;
        }
    };

    @Override
    public List<@Nullable Object> columns(List<? extends @Nullable Object> values) {
        List<@Nullable Object> columns = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            columns.add(value == null || i >= properties.size() ? value : column(value, properties.get(i)));
        }
        return columns;
    }

    private @Nullable Object column(Object value, CassandraPersistentProperty property) {
        if (!property.getType().isInstance(value)) {
            return converter.convertToColumnType(value); // of the column's type already, or nearly
        }
        var ofProperties = converter.getCustomConversions().getPropertyValueConversions();
        if (ofProperties != null && ofProperties.hasValueConverter(property)) {
            PropertyValueConverter<Object, Object, CassandraConversionContext> own =
                    ofProperties.getValueConverter(property);
            return own.write(value, new CassandraConversionContext(ALONE, property, converter));
        }
        return converter.convertToColumnType(
                value, converter.getColumnTypeResolver().resolve(property));
    }

    @Override
    public <T> Function<Row, T> entities(Class<T> type) {
        CqlIdentifier mapped =
                converter.getMappingContext().getRequiredPersistentEntity(type).getTableName();
        if (!mapped.equals(table)) {
            throw new IllegalArgumentException("%s is mapped to the table %s, and the constraint is of %s"
                    .formatted(type.getName(), mapped.asCql(true), table.asCql(true)));
        }
        return row -> {
            events.publishEvent(new AfterLoadEvent<>(row, type, table));
            T entity = converter.read(type, row);
            events.publishEvent(new AfterConvertEvent<>(row, entity, table));
            return entity;
        };
    }
}
