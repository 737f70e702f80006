package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application whose role may read the table of leases and not write it, on a server that asks for passwords. */
@LongLane // It starts a server of its own.
class LeasesWithoutPermissionIntegrationTests extends CassandraTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String DENIED =
            "User application has no MODIFY permission on <table leases.surewrite_lease> or any of its parents";

    private static EmbeddedCassandra server;
    private static CqlSession admin;

    @BeforeAll
    static void start() {
        server = EmbeddedCassandra.builder()
                .setting("authenticator", "PasswordAuthenticator")
                .setting("authorizer", "CassandraAuthorizer")
                .setting("permissions_validity", "0ms") // no cache
                .jvmArgument("-Dcassandra.superuser_setup_delay_ms=0")
                .start();
        // The server makes its first role in the background.
        admin = await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .ignoreExceptions()
                .until(LeasesWithoutPermissionIntegrationTests::connect, connected -> true);
        admin.execute("CREATE KEYSPACE leases WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        admin.execute("CREATE ROLE application WITH password = 'secret' AND login = true");
        admin.execute("GRANT SELECT ON KEYSPACE leases TO application");
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
    }

    private static CqlSession connect() {
        return CqlSession.builder()
                .addContactPoint(server.contactPoint())
                .withLocalDatacenter(server.localDatacenter())
                .withAuthCredentials("cassandra", "cassandra")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .build())
                .build();
    }

    private static ApplicationContextRunner applicationOf(String role, String password) {
        return application()
                .withPropertyValues(
                        "spring.cassandra.contact-points=127.0.0.1:"
                                + server.contactPoint().getPort(),
                        "spring.cassandra.local-datacenter=" + server.localDatacenter(),
                        "spring.cassandra.keyspace-name=leases",
                        "spring.cassandra.username=" + role,
                        "spring.cassandra.password=" + password);
    }

    @Test
    void hearWhichPermissionIsMissing() {
        applicationOf("cassandra", "cassandra")
                .run(context -> context.getBean(LeaseLocks.class)
                        .acquire("to create the table", PATIENCE)
                        .close());
        applicationOf("application", "secret")
                .run(context -> assertThat(catchThrowable(() -> context.getBean(LeaseLocks.class)))
                        .as("before anything is acquired")
                        .hasRootCauseMessage(DENIED)
                        .hasStackTraceContaining(
                                "InvalidConfigurationException: The table leases.surewrite_lease cannot be written: "
                                        + DENIED)
                        .hasStackTraceContaining("GRANT MODIFY ON TABLE leases.surewrite_lease TO"));

        admin.execute("GRANT MODIFY ON KEYSPACE leases TO application");
        applicationOf("application", "secret")
                .run(context -> context.getBean(LeaseLocks.class)
                        .acquire("job", PATIENCE)
                        .close());
    }
}
