package io.surewrite.embedded.boot;

import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/** Gives each application context of a test a keyspace of its own; any other property source may say otherwise. */
record EmbeddedCassandraTestCustomizer() implements ContextCustomizer {

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        context.getEnvironment()
                .getPropertySources()
                .addLast(new MapPropertySource(
                        OnNoOtherCassandra.TESTS, Map.of("surewrite.embedded.unique-keyspace", true)));
    }
}
