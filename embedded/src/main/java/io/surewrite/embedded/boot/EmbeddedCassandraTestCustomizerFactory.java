package io.surewrite.embedded.boot;

import java.util.List;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;

/** Lets Spring's tests have keyspaces of their own. */
final class EmbeddedCassandraTestCustomizerFactory implements ContextCustomizerFactory {

    EmbeddedCassandraTestCustomizerFactory() {}

    @Override
    public ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configuration) {
        return new EmbeddedCassandraTestCustomizer();
    }
}
