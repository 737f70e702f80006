package io.surewrite.embedded.boot;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where neither Boot's properties nor a driver configuration file name a Cassandra. It never matches while an application
 * is processed ahead of time for production: what matches then is frozen into an archive that has no embedded server.
 */
final class OnNoOtherCassandra extends SpringBootCondition {

    /** The property source of Spring's tests. */
    static final String TESTS = "surewriteEmbeddedTests";

    private static final String CONTACT_POINTS = "spring.cassandra.contact-points";
    private static final String CONFIG = "spring.cassandra.config";
    private static final List<String> DRIVER_PATHS = List.of(
            "datastax-java-driver.basic.contact-points", "datastax-java-driver.basic.cloud.secure-connect-bundle");

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Binder binder = Binder.get(context.getEnvironment());
        ConditionMessage.Builder message = ConditionMessage.forCondition("Embedded Cassandra");
        if (binder.bind(CONTACT_POINTS, Bindable.listOf(String.class)).isBound()) {
            return ConditionOutcome.noMatch(message.because(CONTACT_POINTS + " is set"));
        }
        String config = binder.bind(CONFIG, String.class).orElse("");
        if (!config.isEmpty() && namesCassandra(context.getResourceLoader().getResource(config))) {
            return ConditionOutcome.noMatch(message.because(config + " names a Cassandra"));
        }
        if (isProcessedForProduction(context.getEnvironment())) {
            return ConditionOutcome.noMatch(
                    message.because("the application is processed ahead of time for production"));
        }
        return ConditionOutcome.match(message.because("no other Cassandra is configured"));
    }

    /** Tests are processed, too, and keep the embedded server. */
    private static boolean isProcessedForProduction(Environment environment) {
        return Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)
                && !(environment instanceof ConfigurableEnvironment tests
                        && tests.getPropertySources().contains(TESTS));
    }

    private static boolean namesCassandra(@Nullable Resource driverConfig) {
        try {
            return driverConfig != null
                    && DRIVER_PATHS.stream().anyMatch(ConfigFactory.parseURL(driverConfig.getURL())::hasPath);
        } catch (IOException e) {
            return false; // Boot says so when it reads the file.
        }
    }
}
