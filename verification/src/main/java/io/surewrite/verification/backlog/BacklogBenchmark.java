package io.surewrite.verification.backlog;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.backlog.replay.BacklogSession;
import io.surewrite.backlog.replay.BacklogSettings;
import io.surewrite.backlog.replay.StoredWriteBacklog;
import io.surewrite.backlog.store.SqliteBacklogStore;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.verification.Arguments;
import io.surewrite.verification.Times;
import io.surewrite.verification.faults.Connection;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * What a put into the backlog costs next to one flush of the same bytes, how many puts share a flush next to the simplest
 * group commit, and how fast entries are replayed next to writing them directly. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-backlog package};
 * {@code -Dverification.argument=1,3} measures one round instead of seven, after three instead of five to warm up.
 */
public final class BacklogBenchmark {

    private static final int PUTS = 1_000;
    private static final int THREADS = 32;
    private static final Duration TURN = Duration.ofMillis(200);
    private static final int TURNS = 10;
    private static final int ENTRIES = 100_000;

    private static final byte[] BODY = "500 bytes of an entry....".repeat(20).getBytes(StandardCharsets.UTF_8);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private BacklogBenchmark() {}

    /**
     * Runs and prints its results.
     *
     * @param args how many rounds, and after how many rounds of replay client and server are warm, as one text with a comma
     * @throws Exception when something failed
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "7", "5");
        int rounds = arguments.number(0);
        Figures figures = Figures.of("backlog", arguments.toString());
        Path directory = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "backlog");
        putAlone(directory, figures);
        putTogether(directory.resolve("together"), rounds, figures);
        try (EmbeddedCassandra cassandra = EmbeddedCassandra.builder()
                .jvmArgument("-XX:TieredStopAtLevel=4")
                .start()) {
            cassandra.createKeyspace("backlog");
            figures.on(cassandra);
            try (ConfigurableApplicationContext application =
                    Connection.to(cassandra, "backlog").start(Application.class)) {
                replay(
                        application.getBean(CqlSession.class),
                        directory.resolve("replay"),
                        rounds,
                        arguments.number(1),
                        figures);
            }
        }
    }

    private static void putAlone(Path directory, Figures figures) throws IOException {
        Times puts = new Times();
        Times flushes = new Times();
        try (SqliteBacklogStore store = store(directory.resolve("alone"));
                FileChannel file = FileChannel.open(
                        directory.resolve("flushed"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 2 * PUTS; i++) {
                if (i == PUTS) {
                    puts.reset();
                    flushes.reset();
                }
                puts.time(() -> store.put(Instant.EPOCH, BODY).join());
                flushes.time(() -> flush(file));
            }
        }
        double put = puts.percentileMillis(0.5);
        double flush = flushes.percentileMillis(0.5);
        figures.add(Figure.ratio("put alone, p50", "ms", put, "one flush of the same bytes", flush)
                .withGoal(Goal.atMost(2)));
    }

    private static void flush(FileChannel file) {
        try {
            file.write(ByteBuffer.wrap(BODY));
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In short turns, since a disk is not always equally fast, and after all have been warm. */
    private static void putTogether(Path directory, int rounds, Figures figures) throws Exception {
        int turns = rounds * TURNS;
        double[] puts = new double[turns];
        double[] byHand = new double[turns];
        double[] flushes = new double[turns];
        try (SqliteBacklogStore store = store(directory);
                HandWrittenGroupCommit group = new HandWrittenGroupCommit(directory.resolve("group"));
                FileChannel file = FileChannel.open(
                        directory.resolve("flushed"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int turn = -turns / 2; turn < turns; turn++) {
                int kept = Math.max(0, turn);
                puts[kept] =
                        perSecond(THREADS, () -> store.put(Instant.EPOCH, BODY).join());
                byHand[kept] = perSecond(THREADS, () -> group.put(BODY).join());
                flushes[kept] = perSecond(1, () -> flush(file));
            }
        }
        String what = "puts of %d threads, median of %d turns".formatted(THREADS, turns);
        figures.add(Figure.ratio(what, "/s", median(puts), "flushes of one", median(flushes))
                .withGoal(Goal.atLeast(6)));
        figures.add(Figure.ratio(what, "/s", median(puts), "a group commit by hand", median(byHand))
                .withGoal(Goal.atLeast(0.9)));
    }

    private static double perSecond(int threads, Runnable call) throws InterruptedException {
        LongAdder calls = new LongAdder();
        long start = System.nanoTime();
        long end = start + TURN.toNanos();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                while (System.nanoTime() < end) {
                    call.run();
                    calls.increment();
                }
            });
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) {
            thread.join();
        }
        return calls.sum() / ((System.nanoTime() - start) / 1e9);
    }

    private static void replay(CqlSession session, Path directory, int rounds, int warming, Figures figures)
            throws Exception {
        session.execute("CREATE TABLE note (id int PRIMARY KEY, text text)");
        PreparedStatement insert = session.prepare("INSERT INTO note (id, text) VALUES (?, ?)");
        double[] replayed = new double[rounds];
        double[] direct = new double[rounds];
        for (int round = -warming; round < rounds; round++) {
            double replaying = replayPerSecond(session, insert, directory.resolve("round" + round));
            double writing = writeDirectly(session, insert);
            if (round >= 0) {
                replayed[round] = replaying;
                direct[round] = writing;
            }
        }
        String what = "replay, median of %d rounds".formatted(rounds);
        figures.add(Figure.ratio(what, "/s", median(replayed), "the same writes directly", median(direct))
                .withGoal(Goal.atLeast(0.8)));
    }

    private static double median(double[] values) {
        return Arrays.stream(values).sorted().toArray()[values.length / 2];
    }

    private static double writeDirectly(CqlSession session, PreparedStatement insert) throws InterruptedException {
        Semaphore underWay = new Semaphore(THREADS);
        long start = System.nanoTime();
        for (int i = 0; i < ENTRIES; i++) {
            underWay.acquire();
            var unused = session.executeAsync(insert.bind(i, "text " + i).setIdempotent(true))
                    .whenComplete((answer, failure) -> underWay.release());
        }
        underWay.acquire(THREADS);
        return perSecondSince(start);
    }

    private static double replayPerSecond(CqlSession session, PreparedStatement insert, Path directory)
            throws InterruptedException {
        try (StoredWriteBacklog filling = backlog(session, directory, Duration.ofHours(1))) {
            for (int i = 0; i < ENTRIES; i++) {
                var unused = filling.keep("note", System.currentTimeMillis() * 1_000, insert.bind(i, "text " + i));
            }
            while (filling.size().entries() < ENTRIES) {
                Thread.sleep(10);
            }
        }
        long start = System.nanoTime();
        try (StoredWriteBacklog replaying = backlog(session, directory, Duration.ofSeconds(1))) {
            while (replaying.size().entries() > 0) {
                Thread.sleep(2);
            }
            return perSecondSince(start);
        }
    }

    private static double perSecondSince(long start) {
        return ENTRIES / ((System.nanoTime() - start) / 1e9);
    }

    private static StoredWriteBacklog backlog(CqlSession session, Path directory, Duration probeInterval) {
        BacklogSettings settings = new BacklogSettings(
                Duration.ofHours(1), THREADS, 0, probeInterval, probeInterval, 10, Duration.ofSeconds(5), 16 << 20);
        return new StoredWriteBacklog(
                List.of(new BacklogSession("", session)),
                store(directory),
                settings,
                List.of(),
                ObservationRegistry.NOOP,
                Clock.systemUTC(),
                null);
    }

    private static SqliteBacklogStore store(Path directory) {
        return new SqliteBacklogStore(directory, Long.MAX_VALUE, Long.MAX_VALUE, false);
    }
}
