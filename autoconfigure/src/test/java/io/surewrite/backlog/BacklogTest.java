package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.backlog.StoredWriteBacklog.BacklogSession;
import io.surewrite.backlog.StoredWriteBacklog.BacklogSettings;
import io.surewrite.internal.observe.HeardObservations;
import io.surewrite.test.CassandraTest;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A backlog on the disk of a test, over a table of notes. */
abstract class BacklogTest extends CassandraTest {

    static final Duration MARGIN = Duration.ofSeconds(2);
    static final String INSERT = "INSERT INTO note (id, text) VALUES (?, ?)";

    @TempDir
    Path directory;

    final AtomicInteger kept = new AtomicInteger();
    final Map<String, String> timestamps = new ConcurrentHashMap<>();
    private final ObservationRegistry observations = new HeardObservations() {
        @Override
        public void onStop(Observation.Context ended) {
            timestamps.put(ended.getName(), high(ended, "timestamp"));
            if ("surewrite.backlog.keep".equals(ended.getName())
                    && outcome(ended).equals("kept")) {
                kept.incrementAndGet();
            }
        }
    }.registry();
    final AtomicInteger expired = new AtomicInteger();
    final AtomicInteger replayed = new AtomicInteger();
    StoredWriteBacklog backlog;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE brief_note (id int PRIMARY KEY, text text) WITH gc_grace_seconds = 4");
        session.execute("CREATE TABLE ageing (id int PRIMARY KEY, text text) WITH default_time_to_live = 60");
        session.execute("CREATE TABLE graceless (id int PRIMARY KEY, text text) WITH gc_grace_seconds = 0");
        session.execute("CREATE TABLE visits (id int PRIMARY KEY, n counter)");
    }

    @BeforeEach
    void openOverAnEmptyTable() {
        // Not emptied: what was decided before that is not replayed.
        session.execute("DROP TABLE IF EXISTS note");
        session.execute("CREATE TABLE note (id int PRIMARY KEY, text text, tags set<text>, links list<text>)");
        open();
    }

    void open() {
        open(quick());
    }

    void open(BacklogSettings settings) {
        backlog = over(new SqliteBacklogStore(directory, 1_000, 1_000_000, false), settings);
    }

    StoredWriteBacklog over(SqliteBacklogStore store) {
        return over(store, quick());
    }

    static BacklogSettings quick() {
        return new BacklogSettings(MARGIN, 4, Duration.ofMillis(20), Duration.ofMillis(100));
    }

    StoredWriteBacklog over(SqliteBacklogStore store, BacklogSettings settings) {
        return over(session, store, settings, Clock.systemUTC());
    }

    StoredWriteBacklog over(CqlSession to, SqliteBacklogStore store, BacklogSettings settings, Clock clock) {
        return new StoredWriteBacklog(
                List.of(new BacklogSession("", to)),
                store,
                settings,
                List.of(new BacklogListener() {
                    @Override
                    public void expired(String operation) {
                        expired.incrementAndGet();
                    }

                    @Override
                    public void replayed(String operation, Duration waited) {
                        replayed.incrementAndGet();
                    }
                }),
                observations,
                clock,
                null);
    }

    @AfterEach
    void close() {
        backlog.close();
    }

    /** A backlog over the same directory that replays nothing for a long time, once it has looked and found nothing. */
    static BacklogSettings stopped() {
        return new BacklogSettings(MARGIN, 1, Duration.ofMinutes(5), Duration.ofMinutes(5));
    }

    void awaitDrained() {
        await().atMost(Duration.ofMinutes(1)).until(() -> backlog.size().entries() == 0);
        assertThat(backlog.deadLetters(0, 1)).isEmpty();
    }

    static Row note(int id) {
        return session.execute(
                        "SELECT text, tags, writetime(text) AS written, ttl(text) AS ttl FROM note WHERE id = ?", id)
                .one();
    }

    static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }
}
