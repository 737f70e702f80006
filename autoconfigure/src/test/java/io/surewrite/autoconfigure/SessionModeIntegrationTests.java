package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.retry.ConsistencyDowngradingRetryPolicy;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import com.datastax.oss.driver.internal.core.time.AtomicTimestampGenerator;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.SureSessionBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** {@code surewrite.session.mode=off} leaves the driver as it is, and says what does not hold then. */
@ExtendWith(OutputCaptureExtension.class)
@LongLane
class SessionModeIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE mode_note (id uuid PRIMARY KEY, text text)");
    }

    @Test
    void leavesTheDriverAsItIs(CapturedOutput output) {
        Map<String, Object> without = new TreeMap<>();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CassandraAutoConfiguration.class))
                .withPropertyValues(connection())
                .run(context -> without.putAll(settings(context)));
        off().run(context -> {
            assertThat(settings(context)).isEqualTo(without);
            assertThat(context.getBean(CqlSessionBuilder.class)).hasSameClassAs(CqlSession.builder());
            CqlSession plain = context.getBean(CqlSession.class);
            assertThat(SureSessionBuilder.built(plain)).isFalse();
            assertThat(plain.getContext().getTimestampGenerator()).isExactlyInstanceOf(AtomicTimestampGenerator.class);
            assertThat(output)
                    .containsOnlyOnce("makes writes less sure")
                    .contains("it drops the connection, and every request on it, when a conditional write times out")
                    .contains(
                            "after a column is added to a table or dropped, it may read values under the wrong column")
                    .contains(
                            "Its plain writes have timestamps of AtomicTimestampGenerator, sure ones of a source beside")
                    .contains("Fix: surewrite.session.mode=full; or stop the application before you alter a table");
        });
        application().run(context -> assertThat(settings(context)).isNotEqualTo(without));
    }

    /** All profiles of the driver's configuration. */
    private static Map<String, Object> settings(AssertableApplicationContext context) {
        Map<String, Object> settings = new TreeMap<>();
        Map<String, ? extends DriverExecutionProfile> profiles =
                context.getBean(DriverConfigLoader.class).getInitialConfig().getProfiles();
        profiles.forEach((name, profile) ->
                profile.entrySet().forEach(entry -> settings.put(name + " " + entry.getKey(), entry.getValue())));
        return settings;
    }

    @Test
    void keepsItsPromisesOnASessionOfACompanysOwnBuilder() {
        OwnServer.with(ModeNotes.class, off())
                .withBean(CqlSession.class, () -> {
                    CqlSession companys = new CompanysBuilder()
                            .addContactPoint(keyspace.server().contactPoint())
                            .withLocalDatacenter(keyspace.server().localDatacenter())
                            .withKeyspace(keyspace.name())
                            .build();
                    assertThat(companys.getContext()).isInstanceOf(CompanysContext.class);
                    return companys;
                })
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    ModeNotes notes = context.getBean(ModeNotes.class);
                    notes.save(new Note(UUID.randomUUID(), "once"));
                    assertThatThrownBy(() -> notes.save(new Note(UUID.randomUUID(), "once")))
                            .isInstanceOf(DuplicateValueException.class);
                    LeaseLocks locks = context.getBean(LeaseLocks.class);
                    try (Lease lease = locks.tryAcquire("companys").orElseThrow()) {
                        assertThat(lease.token()).isPositive();
                        assertThat(locks.tryAcquire("companys")).isEmpty();
                    }
                });
    }

    @Test
    void refusesSpeculationOnConditionalWrites() {
        configured(builder -> builder.startProfile(ConditionalWrites.PROFILE)
                        .withClass(
                                DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                                ConstantSpeculativeExecutionPolicy.class)
                        .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, 3)
                        .withDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, Duration.ofMillis(100))
                        .endProfile())
                .run(context -> assertThat(cause(context))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining(
                                "The driver's profile surewrite-conditional has advanced.speculative-execution-policy.class = ")
                        .hasMessageContaining("the driver may run a write again that was applied already")
                        .hasMessageContaining("Fix: Set it to " + NoSpeculativeExecutionPolicy.class.getSimpleName()));
    }

    @Test
    void refusesARetryPolicyThatWeakensLevels() {
        OwnServer.with(
                        ModeNotes.class,
                        configured(builder -> builder.withClass(
                                DefaultDriverOption.RETRY_POLICY_CLASS, ConsistencyDowngradingRetryPolicy.class)))
                .run(context -> assertThat(cause(context))
                        .hasMessageContaining("repeats statements at a weaker level")
                        .hasMessageContaining("Fix: "));
    }

    private static Throwable cause(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        return NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
    }

    private static ApplicationContextRunner off() {
        return application().withPropertyValues("surewrite.session.mode=off");
    }

    private static ApplicationContextRunner configured(DriverConfigLoaderBuilderCustomizer customizer) {
        return off().withBean(DriverConfigLoaderBuilderCustomizer.class, () -> customizer);
    }

    /** Builds sessions in a way of its own. */
    private static final class CompanysBuilder extends CqlSessionBuilder {

        @Override
        protected DriverContext buildContext(DriverConfigLoader loader, ProgrammaticArguments arguments) {
            return new CompanysContext(loader, arguments);
        }
    }

    private static final class CompanysContext extends DefaultDriverContext {

        CompanysContext(DriverConfigLoader loader, ProgrammaticArguments arguments) {
            super(loader, arguments);
        }
    }

    @Table("mode_note")
    record Note(@PrimaryKey UUID id, String text) {}

    @UniqueBy("text")
    interface ModeNotes extends CassandraRepository<Note, UUID> {}
}
