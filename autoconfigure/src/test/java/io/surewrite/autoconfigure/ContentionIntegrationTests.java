package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.internal.lwt.SettlingConditionalWrites;
import io.surewrite.testsupport.LongLane;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.WriteOutcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The driver cannot read the answer of protocol V5 to a conditional write that gives up under contention. The server of this
 * test gives up almost at once.
 */
@LongLane // It starts a server of its own.
class ContentionIntegrationTests {

    private static final int THREADS = 8;
    private static final int SLOTS = 10;
    private static final String SECRET = "of this test";
    private static final String KEYSTORE = "server.p12";
    private static final String ANSWERED = "answered";
    private static final int WRITES_PER_THREAD = 50;

    private static EmbeddedCassandra server;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedCassandra.builder()
                .setting("cas_contention_timeout", "2ms")
                .setting(
                        "client_encryption_options",
                        Map.of(
                                "enabled",
                                true,
                                "optional", // for those who do not ask for it
                                true,
                                "keystore",
                                keystore(),
                                "keystore_password",
                                SECRET,
                                "store_type",
                                "PKCS12"))
                .start();
        server.createKeyspace("contention");
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(server.contactPoint())
                .withLocalDatacenter(server.localDatacenter())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(
                                DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30)) // DDL on a busy machine
                        .build())
                .build()) {
            session.execute("CREATE TABLE contention.counter (id int PRIMARY KEY, n int)");
            session.execute("CREATE TABLE contention.slot (p int, n int, owner int, PRIMARY KEY (p, n))");
            session.execute("INSERT INTO contention.counter (id, n) VALUES (1, 0)");
            session.execute("CREATE TABLE contention.large (id int PRIMARY KEY, value blob)");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Fails when the driver has been fixed: see decision 82. */
    @Test
    void thePlainDriverLosesConnections() throws Exception {
        try (CqlSession plain = CqlSession.builder()
                .addContactPoint(server.contactPoint())
                .withLocalDatacenter(server.localDatacenter())
                .build()) {
            assertThat(plain.getContext().getProtocolVersion()).isEqualTo(DefaultProtocolVersion.V5);
            contendUntil(plain, "default", AllNodesFailedException.class);
        }
    }

    @Test
    void theStartersSessionLosesNone() {
        application().run(context -> losesNone(context.getBean(CqlSession.class)));
    }

    /** Whole frames are cut into segments before they are encrypted. */
    @Test
    void theStartersSessionLosesNoneOverTls() {
        application()
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                .withPropertyValues(
                        "spring.ssl.bundle.jks.server.truststore.location=file:" + directory.resolve(KEYSTORE),
                        "spring.ssl.bundle.jks.server.truststore.type=PKCS12",
                        "spring.ssl.bundle.jks.server.truststore.password=" + SECRET,
                        "spring.cassandra.ssl.bundle=server")
                .run(context -> {
                    CqlSession session = context.getBean(CqlSession.class);
                    assertThat(session.execute("SELECT protocol_version, ssl_enabled FROM system_views.clients")
                                    .all())
                            .as("as the server sees it")
                            .anyMatch(client -> client.getBoolean("ssl_enabled")
                                    && client.getInt("protocol_version") == DefaultProtocolVersion.V5.getCode());
                    losesNone(session);
                    ByteBuffer large = ByteBuffer.wrap(new byte[500_000]);
                    new Random(1).nextBytes(large.array());
                    session.execute("INSERT INTO contention.large (id, value) VALUES (1, ?)", large);
                    assertThat(session.execute("SELECT value FROM contention.large WHERE id = 1")
                                    .one()
                                    .getByteBuffer(0))
                            .as("over several segments")
                            .isEqualTo(large);
                });
    }

    private static void losesNone(CqlSession session) {
        assertThat(session.getContext().getProtocolVersion()).isEqualTo(DefaultProtocolVersion.V5);
        assertThat(contendUntil(session, ConditionalWrites.PROFILE, WriteTimeoutException.class))
                .as("nothing worse than the server's own answers")
                .isSubsetOf(ANSWERED, "WriteTimeoutException", "CASWriteUnknownException");
    }

    /** A key for the server, with its certificate, which clients trust. */
    private static String keystore() throws Exception {
        Path made = directory.resolve(KEYSTORE);
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        made.toString(),
                        "-storepass",
                        SECRET)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        return made.toString();
    }

    @Test
    void everyTokenedWriteFindsOutWhatBecameOfIt() {
        application().run(context -> {
            CqlSession session = context.getBean(CqlSession.class);
            ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
            try {
                ConditionalWrites writes = SettlingConditionalWrites.on(session, scheduler, ObservationRegistry.NOOP);
                List<Integer> owners = inThreads(contender -> winsOf(writes, contender)).stream()
                        .flatMap(List::stream)
                        .sorted()
                        .toList();
                assertThat(session.execute("SELECT n, owner FROM contention.slot WHERE p = 1")
                                .map(row -> row.getInt("n") * THREADS + row.getInt("owner")))
                        .as("each slot has one owner, who knows it")
                        .hasSize(SLOTS)
                        .containsExactlyElementsOf(owners);
            } finally {
                scheduler.shutdownNow();
            }
        });
    }

    /** The slots that a contender got, each with who it is. */
    private static List<Integer> winsOf(ConditionalWrites writes, int contender) throws Exception {
        List<Integer> wins = new ArrayList<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            SimpleStatement claim = SimpleStatement.newInstance(
                    "INSERT INTO contention.slot (p, n, owner) VALUES (1, ?, ?) IF NOT EXISTS", slot, contender);
            WriteOutcome outcome = writes.execute(
                            new ConditionalWrite(claim, row -> row.getInt("owner") == contender),
                            Duration.ofSeconds(30))
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            assertThat(outcome).isInstanceOfAny(WriteOutcome.Applied.class, WriteOutcome.Rejected.class);
            if (outcome instanceof WriteOutcome.Applied) {
                wins.add(slot * THREADS + contender);
            }
        }
        return wins;
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

    /**
     * Writes to one row from many threads, again and again until the server has given one of them up under contention, which
     * is a matter of chance.
     *
     * @param sign what the session makes of that
     * @return all that became of the writes
     */
    private static Set<String> contendUntil(CqlSession session, String profile, Class<? extends DriverException> sign) {
        Set<String> outcomes = new HashSet<>();
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
            outcomes.addAll(contend(session, profile));
            return outcomes.contains(sign.getSimpleName());
        });
        return outcomes;
    }

    /** {@return what became of some conditional writes to one row} */
    private static Set<String> contend(CqlSession session, String profile) throws Exception {
        SimpleStatement write = SimpleStatement.newInstance(
                        "UPDATE contention.counter SET n = 1 WHERE id = 1 IF n >= 0")
                .setExecutionProfileName(profile);
        return inThreads(contender -> {
                    List<String> outcomes = new ArrayList<>();
                    for (int i = 0; i < WRITES_PER_THREAD; i++) {
                        outcomes.add(outcome(session, write));
                    }
                    return outcomes;
                })
                .stream()
                .flatMap(List::stream)
                .collect(Collectors.toSet());
    }

    private interface Contender<T> {

        T contend(int number) throws Exception;
    }

    private static <T> List<T> inThreads(Contender<T> contender) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                running.add(executor.submit(() -> contender.contend(number)));
            }
            List<T> ended = new ArrayList<>();
            for (Future<T> each : running) {
                ended.add(each.get());
            }
            return ended;
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
