package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.embedded.EmbeddedCassandra;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The reason for protocol V4: native-protocol cannot decode the answer to a conditional write that gives up under
 * contention. The server of this test gives up almost at once.
 */
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
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(server.contactPoint())
                .withLocalDatacenter(server.localDatacenter())
                .build()) {
            session.execute("CREATE TABLE contention.counter (id int PRIMARY KEY, n int)");
            session.execute("INSERT INTO contention.counter (id, n) VALUES (1, 0)");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Fails when the driver is mended: then drop the default of protocol V4, its warning and docs/adr/0002. */
    @Test
    void thePlainDriverLosesConnectionsOverProtocolV5() throws Exception {
        try (CqlSession plain = CqlSession.builder()
                .addContactPoint(server.contactPoint())
                .withLocalDatacenter(server.localDatacenter())
                .build()) {
            assertThat(plain.getContext().getProtocolVersion()).isEqualTo(DefaultProtocolVersion.V5);
            Map<String, Long> outcomes = contend(plain, "default");
            assertThat(outcomes).containsKey(AllNodesFailedException.class.getSimpleName());
        }
    }

    @Test
    void theStartersSessionLosesNone() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CassandraAutoConfiguration.class, SurewriteSessionAutoConfiguration.class))
                .withPropertyValues(
                        "spring.cassandra.contact-points=127.0.0.1:"
                                + server.contactPoint().getPort(),
                        "spring.cassandra.local-datacenter=" + server.localDatacenter())
                .run(context -> {
                    Map<String, Long> outcomes = contend(context.getBean(CqlSession.class), ConditionalWrites.PROFILE);
                    assertThat(outcomes)
                            .as("there was contention")
                            .containsKey(WriteTimeoutException.class.getSimpleName());
                    assertThat(outcomes.keySet())
                            .as("and nothing worse than the server's own answers")
                            .isSubsetOf(ANSWERED, "WriteTimeoutException", "CASWriteUnknownException");
                });
    }

    /** Counts what became of many conditional writes to one row, by the kind of failure. */
    private static Map<String, Long> contend(CqlSession session, String profile) throws Exception {
        SimpleStatement write = SimpleStatement.newInstance(
                        "UPDATE contention.counter SET n = 1 WHERE id = 1 IF n >= 0")
                .setExecutionProfileName(profile);
        Callable<List<String>> contender = () -> {
            List<String> outcomes = new ArrayList<>();
            for (int i = 0; i < WRITES_PER_THREAD; i++) {
                outcomes.add(outcome(session, write));
            }
            return outcomes;
        };
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<String> outcomes = new ArrayList<>();
            for (Future<List<String>> done : executor.invokeAll(Collections.nCopies(THREADS, contender))) {
                outcomes.addAll(done.get());
            }
            return outcomes.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        } finally {
            executor.shutdownNow();
        }
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
