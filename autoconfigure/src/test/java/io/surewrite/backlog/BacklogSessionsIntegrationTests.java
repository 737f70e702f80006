package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.backlog.StoredWriteBacklog.BacklogSession;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.SeveralKeyspaces;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One store, and entries for several sessions in it: over a restart, and while one cluster is away. */
@SeveralKeyspaces
class BacklogSessionsIntegrationTests extends CassandraTest {

    private static final String INSERT = "INSERT INTO note (id, text) VALUES (?, ?)";

    private static String archiveKeyspace;
    private static FrameProxy wire;
    private static CqlSession archive;

    @TempDir
    private Path directory;

    @BeforeAll
    static void connectToBoth() {
        archiveKeyspace = keyspace.server().createFreshKeyspace("BacklogArchive");
        wire = FrameProxy.to(keyspace.server().contactPoint());
        archive = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), wire.port()))
                .withLocalDatacenter(keyspace.server().localDatacenter())
                .withKeyspace(archiveKeyspace)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(20))
                        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(100))
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .build())
                .build();
        for (CqlSession each : List.of(session, archive)) {
            each.execute("CREATE TABLE note (id int PRIMARY KEY, text text)");
        }
    }

    @AfterAll
    static void leave() {
        archive.close();
        wire.close();
        keyspace.server().dropKeyspace(archiveKeyspace);
    }

    @BeforeEach
    void forget() {
        session.execute("TRUNCATE note");
        // A test before may have ended with the wire cut: the driver connects again.
        await().ignoreExceptionsInstanceOf(AllNodesFailedException.class)
                .untilAsserted(() -> archive.execute("TRUNCATE note"));
    }

    @Test
    void anEntryOutlivesARestartAndGoesToItsSession() {
        wire.cut();
        try (StoredWriteBacklog backlog = backlog(named("shop", session), named("archive", archive))) {
            put(backlog, archive, 1);
        }
        wire.mend();
        try (StoredWriteBacklog backlog = backlog(named("shop", session), named("archive", archive))) {
            awaitDrained(backlog);
            assertThat(backlog.deadLetters(0, 10)).isEmpty();
        }
        assertThat(count(archive)).isEqualTo(1);
        assertThat(count(session)).isZero();
    }

    @Test
    void anEntryForASessionThatIsNotThereIsDoneNowhere() {
        wire.cut();
        try (StoredWriteBacklog backlog = backlog(named("shop", session), named("archive", archive))) {
            put(backlog, archive, 1);
        }
        wire.mend();
        try (StoredWriteBacklog without = backlog(named("shop", session))) {
            awaitDrained(without);
            DeadLetter letter = without.deadLetters(0, 10).get(0);
            assertThat(letter.session()).isEqualTo("archive");
            assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.UNUSABLE);
            assertThat(letter.detail())
                    .contains("it was kept for the session 'archive'", "Fix: name the bean of its session so");
        }
        assertThat(count(session)).isZero();
        assertThat(count(archive)).isZero();
        try (StoredWriteBacklog again = backlog(named("shop", session), named("archive", archive))) {
            again.replayDeadLetters(List.of(again.deadLetters(0, 10).get(0).id()));
            awaitDrained(again);
            assertThat(again.deadLetters(0, 10)).isEmpty();
        }
        assertThat(count(archive)).as("once its session is back").isEqualTo(1);
        assertThat(count(session)).isZero();
    }

    /** It would die after three failed rounds if what others succeed in counted against it. */
    @Test
    void aClusterThatIsAwayHoldsUpNoOtherAndItsEntriesStay() {
        wire.cut();
        try (StoredWriteBacklog backlog = backlog(named("shop", session), named("archive", archive))) {
            put(backlog, archive, 1);
            for (int id = 2; id < 8; id++) {
                int expected = id - 1;
                put(backlog, session, id);
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(count(session)).isEqualTo(expected));
            }
            assertThat(backlog.deadLetters(0, 10)).isEmpty();
            assertThat(backlog.size().entries()).isEqualTo(1);
            wire.mend();
            awaitDrained(backlog);
            assertThat(backlog.deadLetters(0, 10)).isEmpty();
        }
        assertThat(count(archive)).isEqualTo(1);
    }

    private StoredWriteBacklog backlog(BacklogSession... sessions) {
        return new StoredWriteBacklog(
                List.of(sessions),
                new SqliteBacklogStore(directory, 1_000, 1_000_000, false),
                BacklogTest.quick(),
                List.of(),
                ObservationRegistry.NOOP,
                Clock.systemUTC(),
                null);
    }

    private static BacklogSession named(String name, CqlSession session) {
        return new BacklogSession(name, session);
    }

    private static void put(WriteBacklog backlog, CqlSession session, int id) {
        backlog.of(session.getContext()).put("note", SimpleStatement.newInstance(INSERT, id, "kept"));
    }

    private static void awaitDrained(WriteBacklog backlog) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(backlog.size().entries()).isZero());
    }

    private static long count(CqlSession session) {
        // It may still be on its way back to a server that was away.
        return await().ignoreException(NoNodeAvailableException.class)
                .until(() -> (long) session.execute("SELECT id FROM note").all().size(), Objects::nonNull);
    }
}
