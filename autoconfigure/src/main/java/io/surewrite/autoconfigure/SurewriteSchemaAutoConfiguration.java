package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.schema.SchemaTable;
import io.surewrite.schema.SurewriteSchema;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Creates or checks the tables before anything uses them. */
@AutoConfiguration(after = CassandraAutoConfiguration.class)
@ConditionalOnBean(CqlSession.class)
@EnableConfigurationProperties(SchemaProperties.class)
public final class SurewriteSchemaAutoConfiguration {

    @Bean
    SchemaOnDemand surewriteSchemaOnDemand(
            SchemaProperties properties, ObjectProvider<CassandraConnectionDetails> server) {
        return new SchemaOnDemand(properties, server.getIfAvailable());
    }

    @Bean
    SurewriteSchema surewriteSchema(
            ObjectProvider<CqlSession> session,
            SchemaOnDemand schema,
            SchemaProperties properties,
            ObjectProvider<SchemaTable> tables) {
        List<SchemaTable> needed = tables.orderedStream().toList();
        if (needed.isEmpty() && properties.locations().isEmpty()) {
            return SurewriteSchema.EMPTY; // without connecting
        }
        return schema.initialize(session.getObject(), needed, properties.locations());
    }

    @Bean
    static SchemaFirst surewriteSchemaFirst() {
        return new SchemaFirst();
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "surewrite.lease.enabled", matchIfMissing = true)
    SchemaTable surewriteLeaseTable() {
        return SchemaTable.named("lease");
    }
}
