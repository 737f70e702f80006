package io.surewrite.embedded.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class EmbeddedCassandraAutoConfigurationIntegrationTests {

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(EmbeddedCassandraAutoConfiguration.class, CassandraAutoConfiguration.class));

    @Test
    void connectsTheSessionToAKeyspaceNamedAfterTheApplication() {
        context.withPropertyValues("spring.application.name=Alle-Deals 2")
                .run(it -> assertThat(it.getBean(CqlSession.class).getKeyspace().map(CqlIdentifier::asInternal))
                        .hasValue("alle_deals_2"));
    }
}
