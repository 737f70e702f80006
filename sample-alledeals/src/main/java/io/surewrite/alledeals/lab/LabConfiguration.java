package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.alledeals.demo.EmbeddedServer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Puts the bad network between the shop and the database, if the Lab is open. It is a good one until the Lab says otherwise.
 */
@Configuration(proxyBeanMethods = false)
class LabConfiguration {

    @Bean
    static BeanPostProcessor badNetworkBeforeTheSession(
            ObjectProvider<LabSwitch> lab, ObjectProvider<BadNetwork> network) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof CqlSession session && lab.getObject().isOpen()
                        ? network.getObject().before(session)
                        : bean;
            }
        };
    }

    /** The embedded server can be stopped; nobody wants to stop another one from a page. */
    @Bean
    DatabaseSwitch databaseSwitch(CassandraConnectionDetails server, ApplicationAvailability shop) {
        return EmbeddedServer.isMeantBy(server) ? EmbeddedDatabase.of(server, shop) : new DatabaseSwitch() {};
    }
}
