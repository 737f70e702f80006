package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.schema.SchemaInitializer;
import io.surewrite.schema.SchemaSettings;
import io.surewrite.schema.SchemaTable;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.schema.TablesInUse;
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
    SurewriteSchema surewriteSchema(
            ObjectProvider<CqlSession> session,
            ObjectProvider<CassandraConnectionDetails> server,
            SchemaProperties properties,
            ObjectProvider<SchemaTable> tables) {
        return new SurewriteSchema(
                tables.orderedStream().toList(), !properties.locations().isEmpty(), () -> {
                    CqlSession connected = session.getObject();
                    SchemaSettings settings = new SchemaSettings(
                            properties.initialize(),
                            EmbeddedServer.serves(connected, server.getIfAvailable()),
                            properties.keyspace(),
                            properties.tablePrefix(),
                            properties.locations());
                    return new SchemaInitializer(connected, settings);
                });
    }

    @Bean
    TablesInUse surewriteTablesInUse(
            ObjectProvider<CqlSession> session,
            ObjectProvider<CassandraConnectionDetails> server,
            ObjectProvider<SurewriteSchema> schema) {
        return new TablesInUse(
                connected -> EmbeddedServer.serves(connected, server.getIfAvailable()),
                session::getIfUnique,
                () -> schema.getObject().inUse());
    }

    @Bean
    static SchemaFirst surewriteSchemaFirst() {
        return new SchemaFirst();
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "surewrite.lease.enabled", matchIfMissing = true)
    SchemaTable surewriteLeaseTable() {
        return SchemaTable.named("lease").writtenConditionally().onFirstUse();
    }
}
