package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.actuate.BacklogHealthIndicator;
import io.surewrite.backlog.replay.EntryCodec;
import io.surewrite.backlog.store.SqliteBacklogStore;
import io.surewrite.backlog.store.TestDisk;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.WriteScope;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A disk that is full, fails or has lost something: what the health says, and what becomes of the writes. */
@ExtendWith(OutputCaptureExtension.class)
class BacklogDiskIntegrationTests extends BacklogTest {

    @Test
    void saysThatItIsDownWhenTheDiskFailed() {
        backlog.close();
        TestDisk disk = new TestDisk();
        disk.flushes.release(1_000);
        backlog = over(disk.store(directory));
        BacklogHealthIndicator health =
                new BacklogHealthIndicator(backlog, Duration.ofDays(1), Duration.ofDays(2), Clock.systemUTC());
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
        BacklogHealthIndicator health =
                new BacklogHealthIndicator(backlog, Duration.ofDays(1), Duration.ofDays(2), Clock.systemUTC());
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "one"));
        assertThat(health.health().getStatus()).isEqualTo(BacklogHealthIndicator.DEGRADED);
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
        assertThatExceptionOfType(BacklogDamagedException.class)
                .isThrownBy(this::open)
                .withMessageContainingAll("backlog.db is missing", "At most 1");
        backlog = over(new SqliteBacklogStore(directory, 1_000, 1_000_000, true));
        BacklogHealthIndicator health =
                new BacklogHealthIndicator(backlog, Duration.ofDays(1), Duration.ofDays(2), Clock.systemUTC());
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

    /** A body that does not fit its checksum is never sent, whoever changed it while a process had the file. */
    @Test
    void givesUpWhatIsNotWhatWasKept() {
        backlog.close();
        SqliteBacklogStore store = new SqliteBacklogStore(directory, 1_000, 1_000_000, false);
        byte[] body = EntryCodec.sealed(new byte[100]);
        body[3]++;
        store.put(new BacklogStore.Key("note", null), Instant.now(), body).join();
        backlog = over(store);
        await().until(() -> backlog.size().deadLetters() == 1);
        assertThat(backlog.deadLetters(0, 1).get(0).reason()).isEqualTo(DeadLetter.Reason.DAMAGED);
        assertThat(backlog.size().lost()).isEqualTo(1);
    }

    /** A full disk does not let go of what is done: it is not done again, and is taken out when there is room. */
    @Test
    void doesNothingTwiceWhileTheDiskIsFull() {
        FullDisk disk = fullDisk();
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "once"));
        await().until(() -> disk.refused.size() > 3);
        assertThat(backlog.size().entries()).isEqualTo(1);
        disk.full = false;
        awaitDrained();
        assertThat(note(1).getString("text")).isEqualTo("once");
        assertThat(replayed).hasValue(1);
    }

    /** What is done grows, what the disk is asked for does not, and the log says what has changed. */
    @Test
    void asksAFullDiskOnceARoundAndSaysOnceThatItRefuses(CapturedOutput output) {
        backlog.close();
        open(stopped());
        int many = 700;
        for (int i = 0; i < many; i++) {
            backlog.put("note", SimpleStatement.newInstance(INSERT, i, "once"));
        }
        backlog.close();
        FullDisk disk = fullDisk();
        await().until(() -> replayed.get() == many);
        int atOnce = disk.refused.size();
        await().until(() -> disk.refused.size() > atOnce + 3);
        assertThat(atOnce).as("not with each of them").isLessThan(10);
        assertThat(disk.refused).allMatch(asked -> asked <= 256);
        assertThat(backlog.size().entries()).isEqualTo(many);
        assertThat(output).containsOnlyOnce("could not take out writes that are done");
        disk.full = false;
        awaitDrained();
        await().until(() -> output.getOut().contains("takes again what it refused"));
        assertThat(replayed).hasValue(many);
    }

    /** It is counted when it is dropped. */
    @Test
    void countsOnceWhatExpiresWhileTheDiskIsFull() {
        FullDisk disk = fullDisk();
        PreparedStatement insert = session.prepare(INSERT + " USING TTL ?");
        WriteScope.at(micros(Instant.now().minusSeconds(10)))
                .call(() -> backlog.put("note", insert.bind(1, "short", 9)));
        await().until(() -> disk.refused.size() > 3);
        assertThat(expired).hasValue(0);
        disk.full = false;
        awaitDrained();
        assertThat(expired).hasValue(1);
    }

    private FullDisk fullDisk() {
        backlog.close();
        FullDisk disk = new FullDisk();
        SqliteBacklogStore store = new SqliteBacklogStore(directory, 1_000, 1_000_000, false);
        backlog = over((BacklogStore) Proxy.newProxyInstance(
                BacklogStore.class.getClassLoader(),
                new Class<?>[] {BacklogStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("remove") && disk.full) {
                        disk.refused.add(((List<?>) arguments[0]).size());
                        return CompletableFuture.failedFuture(new BacklogException("the disk is full", null));
                    }
                    return method.invoke(store, arguments);
                }));
        return disk;
    }

    /** Lets nothing go. */
    private static final class FullDisk {

        private volatile boolean full = true;

        /** How much it was to let go, each time. */
        private final List<Integer> refused = new CopyOnWriteArrayList<>();
    }
}
