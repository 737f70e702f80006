package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.autoconfigure.SeenBacklog;
import io.surewrite.write.UnknownOutcomeException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A disk that is full, fails or has lost something: what the health says, and what becomes of the writes. */
@ExtendWith(OutputCaptureExtension.class)
class BacklogDiskIntegrationTests extends BacklogTest {

    @Test
    void saysThatItIsDownWhenTheDiskFailed() {
        backlog.close();
        TestDisk disk = TestDisk.ready();
        backlog = over(disk.store(directory));
        HealthIndicator health = new SeenBacklog(backlog).health(Duration.ofDays(2), Clock.systemUTC());
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "one"));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        disk.broken = true;
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> backlog.put("note", SimpleStatement.newInstance(INSERT, 2, "two")));
        assertThatExceptionOfType(BacklogException.class)
                .as("refused before it was written")
                .isThrownBy(() -> backlog.put("note", SimpleStatement.newInstance(INSERT, 3, "three")))
                .withMessageContaining("until a restart");
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails().get("error").toString()).contains("did not confirm", "until a restart");
    }

    @Test
    void saysThatItIsDegradedWhileItIsFull() {
        backlog.close();
        backlog = over(new SqliteBacklogStore(directory, 1, 1_000_000, false), stopped());
        HealthIndicator health = new SeenBacklog(backlog).health(Duration.ofDays(2), Clock.systemUTC());
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "one"));
        assertThat(health.health().getStatus()).isEqualTo(SeenBacklog.DEGRADED);
        assertThat(health.health().getDetails().get("refused").toString()).contains("The backlog is full");
    }

    @Test
    void isDownAfterALossUntilSomebodyDiscardsItsLetter() throws IOException {
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "one"));
        awaitDrained();
        backlog.close();
        open(stopped());
        backlog.put("note", SimpleStatement.newInstance(INSERT, 2, "two"));
        backlog.close();
        Files.delete(directory.resolve("backlog.db"));
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(this::open)
                .withMessageContainingAll("backlog.db is missing", "At least 1");
        backlog = over(new SqliteBacklogStore(directory, 1_000, 1_000_000, true));
        HealthIndicator health = new SeenBacklog(backlog).health(Duration.ofDays(2), Clock.systemUTC());
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("lost", 1L);
        List<Long> letters =
                backlog.deadLetters(0, 10).stream().map(DeadLetter::id).toList();
        assertThat(letters).hasSize(1);
        assertThat(backlog.replayDeadLetters(letters))
                .as("nothing is left to replay")
                .isZero();
        assertThat(backlog.discardDeadLetters(letters)).isEqualTo(1);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    /** A full disk does not let go of what is done: it is not done again, and is taken out when there is room. */
    @Test
    void doesNothingTwiceWhileTheDiskIsFull() {
        backlog.close();
        TestDisk disk = TestDisk.ready();
        disk.refuse("DELETE", Integer.MAX_VALUE);
        backlog = over(disk.store(directory));
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "once"));
        await().until(() -> disk.refused.get() > 3);
        assertThat(backlog.size().entries()).isEqualTo(1);
        disk.refuse("DELETE", 0);
        awaitDrained();
        assertThat(note(1).getString("text")).isEqualTo("once");
        assertThat(replayed).hasValue(1);
    }

    /** A transaction that takes all out needs as much room as the file has. */
    @Test
    void takesOutAPageAtATimeWhenThereIsRoomAgain() {
        int many = 300;
        backlog.close();
        TestDisk disk = TestDisk.ready();
        backlog = over(disk.store(directory), stopped());
        for (int id = 0; id < many; id++) {
            backlog.put("note", SimpleStatement.newInstance(INSERT, id, "one of many"));
        }
        backlog.close();
        disk.refuse("DELETE", Integer.MAX_VALUE);
        backlog = over(disk.store(directory));
        await().until(() -> replayed.get() == many);
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        disk.fault = (command, real) -> {
            if (command.startsWith("DELETE")) {
                taken.incrementAndGet();
            } else if (command.equals("COMMIT")) {
                most.accumulateAndGet(taken.getAndSet(0), Math::max);
            }
            return real.run();
        };
        awaitDrained();
        assertThat(most.get()).isBetween(1, 256);
        assertThat(replayed).hasValue(many);
    }

    /** What the store did not note has its turn again, and holds up nothing else. */
    @Test
    void writesADeadLetterThatItCouldNotWriteOnce() {
        session.execute("CREATE TABLE gone (id int PRIMARY KEY)");
        backlog.close();
        TestDisk disk = TestDisk.ready();
        backlog = over(disk.store(directory), stopped());
        backlog.put("gone", SimpleStatement.newInstance("INSERT INTO gone (id) VALUES (1)"));
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "one"));
        session.execute("DROP TABLE gone");
        backlog.close();
        disk.refuse("INSERT INTO entry", 1);
        backlog = over(disk.store(directory));
        await().until(() -> backlog.size().entries() == 0);
        assertThat(disk.refused).hasValue(1);
        assertThat(backlog.deadLetters(0, 10))
                .extracting(DeadLetter::reason)
                .containsExactly(DeadLetter.Reason.REJECTED);
        assertThat(note(1).getString("text")).isEqualTo("one");
    }
}
