package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.ArrayList;
import java.util.List;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.EmbeddedEntityOperations;

/** The columns that are written when an entity is saved. */
final class EntityColumns {

    private EntityColumns() {}

    static List<CqlIdentifier> of(CassandraPersistentEntity<?> entity, CassandraMappingContext mapping) {
        List<CqlIdentifier> columns = new ArrayList<>();
        for (CassandraPersistentProperty property : entity) {
            if (property.isCompositePrimaryKey()) {
                columns.addAll(of(mapping.getRequiredPersistentEntity(property), mapping));
            } else if (property.isEmbedded()) {
                columns.addAll(of(new EmbeddedEntityOperations(mapping).getEntity(property), mapping));
            } else if (property.isWritable() && !property.isTransient()) {
                columns.add(property.getColumnName());
            }
        }
        return columns;
    }
}
