package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import io.surewrite.write.ConditionalWrites;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The driver cannot read the answer of protocol V5 to a conditional write that gives up under contention. The server of this
 * test gives up almost at once.
 */
@LongLane // It starts a server of its own.
class ContentionIntegrationTests {

    private static final int THREADS = 8;
    private static final String ANSWERED = "answered";
    private static final int WRITES_PER_THREAD = 50;

    private static EmbeddedCassandra server;

    @BeforeAll
    static void start() {
        server = EmbeddedCassandra.builder()
                .setting("cas_contention_timeout", "2ms")
                .start();
        server.createKeyspace("contention");
        try (CqlSession session = OwnServer.patient(server.contactPoint(), server.localDatacenter())
                .build()) {
            session.execute("CREATE TABLE contention.counter (id int PRIMARY KEY, n int)");
            session.execute("INSERT INTO contention.counter (id, n) VALUES (1, 0)");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Writes again and again until the server has given one of them up under contention, which is a matter of chance. */
    @Test
    void theStartersSessionLosesNone() {
        application().run(context -> {
            CqlSession session = context.getBean(CqlSession.class);
            assertThat(session.getContext().getProtocolVersion()).isEqualTo(DefaultProtocolVersion.V5);
            Set<String> outcomes = new HashSet<>();
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
                outcomes.addAll(contend(session));
                return outcomes.contains("WriteTimeoutException");
            });
            assertThat(outcomes)
                    .as("nothing worse than the server's own answers")
                    .isSubsetOf(ANSWERED, "WriteTimeoutException", "CASWriteUnknownException");
        });
    }

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CassandraAutoConfiguration.class, SurewriteSessionAutoConfiguration.class))
                .withPropertyValues(
                        "spring.cassandra.contact-points=127.0.0.1:"
                                + server.contactPoint().getPort(),
                        "spring.cassandra.local-datacenter=" + server.localDatacenter());
    }

    /** {@return what became of some conditional writes of many threads to one row} */
    private static Set<String> contend(CqlSession session) throws Exception {
        SimpleStatement write = SimpleStatement.newInstance(
                        "UPDATE contention.counter SET n = 1 WHERE id = 1 IF n >= 0")
                .setExecutionProfileName(ConditionalWrites.PROFILE);
        Set<String> outcomes = ConcurrentHashMap.newKeySet();
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Boolean>> writes =
                    Collections.nCopies(THREADS * WRITES_PER_THREAD, () -> outcomes.add(outcome(session, write)));
            executor.invokeAll(writes);
        } finally {
            executor.shutdownNow();
        }
        return outcomes;
    }

    private static String outcome(CqlSession session, SimpleStatement write) {
        try {
            session.execute(write);
            return ANSWERED;
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }
}
