package io.surewrite.internal.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.EmbeddedEntityOperations;

/** The columns that Spring Data writes when an entity is saved. */
public final class EntityColumns {

    private EntityColumns() {}

    /**
     * The columns of an entity type.
     *
     * @param entity the type
     * @param mapping knows the types of its parts
     * @return the columns, and what they are mapped to
     */
    public static Map<CqlIdentifier, CassandraPersistentProperty> of(
            CassandraPersistentEntity<?> entity, CassandraMappingContext mapping) {
        Map<CqlIdentifier, CassandraPersistentProperty> mapped = new LinkedHashMap<>();
        for (CassandraPersistentProperty property : entity) {
            if (property.isCompositePrimaryKey()) {
                mapped.putAll(of(mapping.getRequiredPersistentEntity(property), mapping));
            } else if (property.isEmbedded() && property.isWritable()) {
                mapped.putAll(of(new EmbeddedEntityOperations(mapping).getEntity(property), mapping));
            } else if (property.isWritable()) {
                mapped.put(property.getRequiredColumnName(), property);
            }
        }
        return mapped;
    }
}
