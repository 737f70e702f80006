package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application whose role may read the table of leases and not write it, on a server that asks for passwords. */
@LongLane // It starts a server of its own.
class LeasesWithoutPermissionIntegrationTests {

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
                .start();
        admin = OwnServer.administrator(server);
        admin.execute("CREATE KEYSPACE leases WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        admin.execute("CREATE ROLE application WITH password = 'secret' AND login = true");
        admin.execute("GRANT SELECT ON KEYSPACE leases TO application");
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
    }

    private static ApplicationContextRunner applicationOf(String role, String password) {
        return OwnServer.application(server, "leases")
                .withPropertyValues("spring.cassandra.username=" + role, "spring.cassandra.password=" + password);
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
