package io.surewrite.autoconfigure;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_TIMEOUT;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.RETRY_POLICY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.TIMESTAMP_GENERATOR_CLASS;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.internal.core.config.typesafe.DefaultDriverConfigLoader;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.surewrite.autoconfigure.SessionCheck.SessionMode;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.NeverRetryPolicy;
import io.surewrite.write.WriteTimestamps;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Sets what safe writes need of the driver, and only where the user has set nothing.
 *
 * <p>What is set here goes above the user's configuration files, so the merged configuration is read first: an option
 * that stands anywhere (also as {@code null}) is the user's choice. It is read raw, because a profile of the driver's
 * own interface does not tell what it sets from what it inherits.
 */
@Order(Ordered.HIGHEST_PRECEDENCE) // first, so that the user's customizers have the last word
record SessionDefaults(ConditionalWriteProperties properties, Environment environment)
        implements DriverConfigLoaderBuilderCustomizer {

    /** The driver's default, which does not reserve two timestamps in a row. */
    private static final String DRIVERS_TIMESTAMPS = "AtomicTimestampGenerator";

    @Override
    public void customize(ProgrammaticDriverConfigLoaderBuilder builder) {
        if (SessionMode.of(environment) == SessionMode.OFF) {
            return;
        }
        DriverConfigLoader loader = builder.build();
        DriverConfig read = loader.getInitialConfig();
        if (read.getDefaultProfile().getString(TIMESTAMP_GENERATOR_CLASS).equals(DRIVERS_TIMESTAMPS)) {
            builder.withClass(TIMESTAMP_GENERATOR_CLASS, WriteTimestamps.class);
        }
        // The supplier reads all files once more, so only where there is something to find.
        Config users = read.getProfiles().containsKey(ConditionalWrites.PROFILE)
                ? ((DefaultDriverConfigLoader) loader).getConfigSupplier().get()
                : ConfigFactory.empty();
        builder.startProfile(ConditionalWrites.PROFILE);
        profile(users).forEach((option, value) -> {
            if (!users.hasPathOrNull(inProfile(option))) {
                builder.withString(option, value);
            }
        });
        builder.endProfile();
    }

    private Map<DefaultDriverOption, String> profile(Config users) {
        String serialConsistency = properties.serialConsistency().name();
        String usersSerialConsistency = inProfile(REQUEST_SERIAL_CONSISTENCY);
        if (users.hasPath(usersSerialConsistency)) {
            serialConsistency = users.getString(usersSerialConsistency).toUpperCase(Locale.ROOT);
        }
        return Map.of(
                REQUEST_SERIAL_CONSISTENCY,
                serialConsistency,
                REQUEST_CONSISTENCY,
                properties.consistencyFor(serialConsistency).name(),
                REQUEST_TIMEOUT,
                properties.requestTimeout().toMillis() + " ms",
                REQUEST_DEFAULT_IDEMPOTENCE,
                "false",
                RETRY_POLICY_CLASS,
                NeverRetryPolicy.class.getName(),
                SPECULATIVE_EXECUTION_POLICY_CLASS,
                NoSpeculativeExecutionPolicy.class.getName());
    }

    private static String inProfile(DefaultDriverOption option) {
        return "profiles." + ConditionalWrites.PROFILE + "." + option.getPath();
    }
}
