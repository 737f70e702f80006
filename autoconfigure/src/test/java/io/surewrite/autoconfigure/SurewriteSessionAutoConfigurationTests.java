package io.surewrite.autoconfigure;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.PROTOCOL_VERSION;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_TIMEOUT;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.RETRY_POLICY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.NeverRetryPolicy;
import io.surewrite.write.SureSessionBuilder;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;

class SurewriteSessionAutoConfigurationTests {

    private static final String OWN_FILE =
            "spring.cassandra.config=classpath:io/surewrite/autoconfigure/own-driver.conf";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(CassandraAutoConfiguration.class, SurewriteSessionAutoConfiguration.class));

    @Test
    void buildsSureSessionsWithWhatBootAndCustomizersHaveSet() {
        runner.withBean(CqlSessionBuilderCustomizer.class, () -> builder -> builder.withLocalDatacenter("dc1"))
                .withPropertyValues("spring.cassandra.keyspace-name=shop", "spring.cassandra.ssl.enabled=true")
                .run(context -> {
                    CqlSessionBuilder builder = context.getBean(CqlSessionBuilder.class);
                    assertThat(builder)
                            .isInstanceOf(SureSessionBuilder.class)
                            .isNotSameAs(context.getBean(CqlSessionBuilder.class))
                            .hasFieldOrPropertyWithValue("configLoader", context.getBean(DriverConfigLoader.class))
                            .hasFieldOrPropertyWithValue("keyspace", CqlIdentifier.fromInternal("shop"))
                            .hasFieldOrPropertyWithValue("programmaticSslFactory", true)
                            .hasFieldOrPropertyWithValue("programmaticLocalDatacenter", true);
                });
    }

    @Test
    void leavesABuilderOfAClassOfItsOwnAlone() {
        CqlSessionBuilder own = new CqlSessionBuilder() {};
        runner.withBean(CqlSessionBuilder.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(CqlSessionBuilder.class)).isSameAs(own));
    }

    @Test
    void givesConditionalWritesTheirProfile() {
        conditionalProfile(runner, profile -> {
            assertThat(profile.getString(REQUEST_SERIAL_CONSISTENCY)).isEqualTo("SERIAL");
            assertThat(profile.getString(REQUEST_CONSISTENCY)).isEqualTo("QUORUM");
            assertThat(profile.getDuration(REQUEST_TIMEOUT)).isEqualTo(Duration.ofSeconds(5));
            assertThat(profile.getBoolean(REQUEST_DEFAULT_IDEMPOTENCE)).isFalse();
            assertThat(profile.getString(RETRY_POLICY_CLASS)).isEqualTo(NeverRetryPolicy.class.getName());
            assertThat(profile.getString(SPECULATIVE_EXECUTION_POLICY_CLASS))
                    .isEqualTo(NoSpeculativeExecutionPolicy.class.getName());
            assertThat(SessionCheck.findings(profile)).isEmpty();
        });
    }

    @Test
    void leavesEveryOtherRequestAsItWas() {
        defaultProfile(runner, profile -> {
            assertThat(profile.getString(REQUEST_CONSISTENCY)).isEqualTo("LOCAL_ONE");
            assertThat(profile.getDuration(REQUEST_TIMEOUT)).isEqualTo(Duration.ofSeconds(2));
            assertThat(profile.getString(RETRY_POLICY_CLASS)).isEqualTo("DefaultRetryPolicy");
        });
    }

    @Test
    void takesTheProfileFromProperties() {
        var local = runner.withPropertyValues(
                "surewrite.conditional.serial-consistency=local-serial", "surewrite.conditional.request-timeout=7s");
        conditionalProfile(local, profile -> {
            assertThat(profile.getString(REQUEST_SERIAL_CONSISTENCY)).isEqualTo("LOCAL_SERIAL");
            assertThat(profile.getString(REQUEST_CONSISTENCY)).isEqualTo("LOCAL_QUORUM");
            assertThat(profile.getDuration(REQUEST_TIMEOUT)).isEqualTo(Duration.ofSeconds(7));
        });
        conditionalProfile(
                runner.withPropertyValues("surewrite.conditional.consistency=all"),
                profile -> assertThat(profile.getString(REQUEST_CONSISTENCY)).isEqualTo("ALL"));
    }

    @Test
    void yieldsToTheDriverConfigurationFileOptionByOption() {
        var own = runner.withPropertyValues(OWN_FILE, "surewrite.conditional.request-timeout=7s");
        defaultProfile(
                own, profile -> assertThat(profile.getString(PROTOCOL_VERSION)).isEqualTo("V3"));
        conditionalProfile(own, profile -> {
            assertThat(profile.getDuration(REQUEST_TIMEOUT)).isEqualTo(Duration.ofSeconds(2));
            assertThat(profile.getString(REQUEST_SERIAL_CONSISTENCY)).isEqualTo("local_serial");
            assertThat(profile.getString(REQUEST_CONSISTENCY))
                    .as("goes with it")
                    .isEqualTo("LOCAL_QUORUM");
            assertThat(profile.getString(RETRY_POLICY_CLASS)).isEqualTo(NeverRetryPolicy.class.getName());
        });
    }

    @Test
    void yieldsToTheUsersCustomizerHoweverItIsOrdered() {
        for (int order : new int[] {Ordered.HIGHEST_PRECEDENCE, Ordered.LOWEST_PRECEDENCE}) {
            var own = runner.withBean(Users.class, order);
            defaultProfile(
                    own,
                    profile -> assertThat(profile.getString(PROTOCOL_VERSION)).isEqualTo("V5"));
            conditionalProfile(
                    own,
                    profile -> assertThat(profile.getDuration(REQUEST_TIMEOUT)).isEqualTo(Duration.ofSeconds(9)));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            serial-consistency=quorum  | it must be SERIAL or LOCAL_SERIAL
            request-timeout=2s         | above the server's write timeout (2s unless changed)
            request-timeout=-1s        | above the server's write timeout (2s unless changed)
            consistency=one            | must be one of [QUORUM, EACH_QUORUM, ALL]; after a weaker commit
            consistency=serial         | must be one of [QUORUM, EACH_QUORUM, ALL]; after a weaker commit
            consistency=local-quorum   | must be one of [QUORUM, EACH_QUORUM, ALL]; after a weaker commit
            """)
    void refusesUnsureConditionalWrites(String property, String reason) {
        runner.withPropertyValues("surewrite.conditional." + property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("surewrite.conditional." + property.substring(0, property.indexOf('=')))
                        .hasMessageContaining(reason));
    }

    private static void defaultProfile(ApplicationContextRunner runner, Consumer<DriverExecutionProfile> assertions) {
        runner.run(context -> assertions.accept(
                context.getBean(DriverConfigLoader.class).getInitialConfig().getDefaultProfile()));
    }

    private static void conditionalProfile(
            ApplicationContextRunner runner, Consumer<DriverExecutionProfile> assertions) {
        runner.run(context -> assertions.accept(
                context.getBean(DriverConfigLoader.class).getInitialConfig().getProfile(ConditionalWrites.PROFILE)));
    }

    record Users(int getOrder) implements DriverConfigLoaderBuilderCustomizer, Ordered {

        @Override
        public void customize(ProgrammaticDriverConfigLoaderBuilder builder) {
            builder.withString(PROTOCOL_VERSION, "V5")
                    .startProfile(ConditionalWrites.PROFILE)
                    .withDuration(REQUEST_TIMEOUT, Duration.ofSeconds(9))
                    .endProfile();
        }
    }
}
