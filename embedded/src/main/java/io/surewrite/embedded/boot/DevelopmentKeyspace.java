package io.surewrite.embedded.boot;

import io.surewrite.embedded.SharedCassandra;
import java.util.Map;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Chooses the keyspace of a development server, and lets the application read its name where it would have set it. That
 * happens before any bean is made, and needs no server.
 */
record DevelopmentKeyspace(ConfigurableEnvironment environment) implements BeanFactoryPostProcessor {

    static final String PROPERTY = "spring.cassandra.keyspace-name";

    private static final String DEFAULT_NAME = "surewrite_dev";

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (environment.getProperty(PROPERTY, "").isBlank()) {
            // First, since a blank one may stand anywhere.
            environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource("surewriteEmbeddedKeyspace", Map.of(PROPERTY, choose())));
        }
    }

    private String choose() {
        String application = environment.getProperty("spring.application.name", "");
        String hint = application.isBlank() ? DEFAULT_NAME : application;
        return environment.getProperty("surewrite.embedded.unique-keyspace", Boolean.class, false)
                ? SharedCassandra.freshKeyspaceName(hint)
                : SharedCassandra.keyspaceNameOf(hint);
    }
}
