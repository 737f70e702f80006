package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.NeverRetryPolicy;
import io.surewrite.test.CassandraTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SessionIntegrationTests extends CassandraTest {

    @Test
    void speaksV4AndLoadsTheRetryPolicyByName() {
        assertThat(session.getContext().getProtocolVersion()).isEqualTo(DefaultProtocolVersion.V4);
        assertThat(session.getContext().getRetryPolicy(ConditionalWrites.PROFILE))
                .isInstanceOf(NeverRetryPolicy.class);
    }

    @Test
    void hasNothingToSayAboutItsOwnSession(CapturedOutput output) {
        application().run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(CqlSession.class).isClosed()).isFalse();
            assertThat(output).doesNotContain("makes writes less sure");
        });
    }

    @Test
    void warnsOfAForcedV5AndRespectsIt(CapturedOutput output) {
        application()
                .withSystemProperties("datastax-java-driver.advanced.protocol.version=V5")
                .run(context -> {
                    assertThat(context.getBean(CqlSession.class).getContext().getProtocolVersion())
                            .isEqualTo(DefaultProtocolVersion.V5);
                    assertThat(output)
                            .contains("The Cassandra session 'cassandraSession' makes writes less sure")
                            .contains("It speaks protocol V5", "drops the connection")
                            .contains("Mend: datastax-java-driver.advanced.protocol.version = V4")
                            .doesNotContain("It lacks the execution profile");
                });
    }

    @Test
    void saysNothingOfAMissingProfileWhoseSettingsStandOnTheStatements(CapturedOutput output) {
        ownSession("datastax-java-driver.advanced.protocol.version = V4").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain("makes writes less sure");
        });
    }

    @Test
    void isContentWithASessionThatHasTheProfile(CapturedOutput output) {
        String advice = ConditionalProfileCheck.SNIPPET + "\ndatastax-java-driver.advanced.protocol.version = V4";
        ownSession(advice).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain("makes writes less sure");
        });
    }

    @Test
    void warnsOnceOfAProfileThatIsTooWeak(CapturedOutput output) {
        String weak = ConditionalProfileCheck.SNIPPET.replace("consistency = QUORUM", "consistency = ONE")
                + "\ndatastax-java-driver.advanced.protocol.version = V4";
        ownSession(weak).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output.toString().split("makes writes less sure", -1)).hasSize(2);
            assertThat(output).contains("The Cassandra session 'ownSession'", "a quorum read may miss");
        });
    }

    private static ApplicationContextRunner ownSession(String driverConfig) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SurewriteSessionAutoConfiguration.class))
                .withBean(
                        "ownSession",
                        CqlSession.class,
                        () -> CqlSession.builder()
                                .addContactPoint(keyspace.server().contactPoint())
                                .withLocalDatacenter(keyspace.server().localDatacenter())
                                .withConfigLoader(DriverConfigLoader.fromString(driverConfig))
                                .build());
    }
}
