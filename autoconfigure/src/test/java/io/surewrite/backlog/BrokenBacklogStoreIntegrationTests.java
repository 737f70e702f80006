package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.autoconfigure.SeenBacklog;
import io.surewrite.testsupport.LongLane;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** A store that cannot do one thing, for once or for long, holds up nothing else. */
@LongLane
class BrokenBacklogStoreIntegrationTests extends BacklogTest {

    private final TestDisk disk = TestDisk.ready();

    @ParameterizedTest
    @ValueSource(strings = {"INSERT", "DELETE", "SELECT", "BEGIN"})
    void replaysAllTheRest(String command) {
        over(true);
        for (int i = 0; i < 9; i++) {
            backlog.put(
                    "Notes", SimpleStatement.newInstance("INSERT INTO note (id, text) VALUES (%d, 'a')".formatted(i)));
            backlog.put("Rejected", SimpleStatement.newInstance("INSERT INTO gone (id) VALUES (%d)".formatted(i)));
            backlog.put("Forgotten", SimpleStatement.newInstance("INSERT INTO renewed (id) VALUES (%d)".formatted(i)));
            backlog.put("Late", SimpleStatement.newInstance("INSERT INTO brief_note (id) VALUES (%d)".formatted(i)));
        }
        session.execute("DROP TABLE gone");
        session.execute("DROP TABLE renewed");
        session.execute("CREATE TABLE renewed (id int PRIMARY KEY)");
        over(false);
        // As many as there are places, and more: each must be given back. The first entry opens the way for all.
        disk.refuse(command, 9);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(session.execute("SELECT id FROM note").all()).hasSize(9);
            assertThat(backlog.size().entries()).isZero();
            assertThat(backlog.deadLetters(0, 100))
                    .extracting(letter -> letter.operation() + " " + letter.reason())
                    .hasSize(27)
                    .containsOnly("Rejected REJECTED", "Forgotten TABLE_REPLACED", "Late TOO_OLD");
        });
        assertThat(disk.refused).hasValueGreaterThan(0);
        assertThat(backlog.refusal()).isNull();
    }

    @Test
    void saysWhatTheStoreDoesNotNote() {
        over(true);
        backlog.put("Dead", SimpleStatement.newInstance("INSERT INTO gone (id) VALUES (1)"));
        session.execute("DROP TABLE gone");
        disk.refuse("DELETE", Integer.MAX_VALUE);
        over(false);
        HealthIndicator health = new SeenBacklog(backlog).health(Duration.ofHours(2), Clock.systemUTC());
        await().untilAsserted(() -> assertThat(health.health().getDetails()).containsKey("refused"));
        assertThat(health.health().getStatus()).isNotEqualTo(Status.UP);
        disk.refuse("DELETE", 0);
        await().untilAsserted(() -> assertThat(health.health().getStatus()).isEqualTo(Status.UP));
    }

    /** Opens it again: what is kept is replayed only then. */
    private void over(boolean stopped) {
        backlog.close();
        if (stopped) {
            session.execute("CREATE TABLE IF NOT EXISTS gone (id int PRIMARY KEY)");
            session.execute("CREATE TABLE IF NOT EXISTS renewed (id int PRIMARY KEY)");
        }
        SqliteBacklogStore store = disk.store(directory);
        // Later, so that what is written to a table of little grace must not be done any more.
        backlog = stopped
                ? over(store, stopped())
                : over(store, quick(), Clock.offset(Clock.systemUTC(), Duration.ofSeconds(4)));
    }
}
