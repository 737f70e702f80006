package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.verification.benchmark.MeasuredApplication.Bare;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * While the server stands still, writes are put into the backlog, beside flushes of as many bytes. When it goes on, they are
 * replayed, beside the same writes made directly.
 */
final class BacklogBenchmark implements Benchmarks.Benchmark {

    private static final String FLUSH = "one flush of 500 bytes";
    private static final String TEXT = "500 bytes of an entry....".repeat(20);

    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        Path directory = Files.createTempDirectory(
                Files.createDirectories(Path.of("target").toAbsolutePath()), "backlog");
        try (ConfigurableApplicationContext application = MeasuredApplication.start(
                        Bare.class,
                        server,
                        "backlog",
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory.resolve("kept"),
                        "surewrite.backlog.max-entries=10000000",
                        "surewrite.backlog.max-size=4GB");
                FileChannel file = FileChannel.open(
                        directory.resolve("flushed"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            CqlSession session = application.getBean(CqlSession.class);
            WriteBacklog backlog = application.getBean(WriteBacklog.class);
            session.execute("CREATE TABLE note (id int PRIMARY KEY, text text)");
            PreparedStatement insert = session.prepare("INSERT INTO note (id, text) VALUES (?, ?)");
            server.node(0).pause();
            Throughput.Work put = () -> backlog.put("note", next(insert));
            Contest contest = new Contest()
                    .with("put alone", put)
                    .with(FLUSH, () -> flush(file))
                    .run(howLong);
            contest.compare(results, "put alone", FLUSH, 2);
            double puts = perSecond(howLong, put);
            results.atLeast(6, "puts of 32 threads", "/s", puts, "flushes of one", 1e3 / contest.median(FLUSH));
            server.node(0).resume();
            double replayed = replayedPerSecond(backlog);
            perSecond(howLong, () -> session.execute(next(insert))); // the first warms up
            double direct = perSecond(howLong, () -> session.execute(next(insert)));
            results.atLeast(0.8, "replay", "/s", replayed, "the same writes directly", direct);
        }
    }

    private Statement<?> next(PreparedStatement insert) {
        return insert.bind(count.incrementAndGet(), TEXT);
    }

    private static void flush(FileChannel file) throws Exception {
        file.write(ByteBuffer.wrap(TEXT.getBytes(StandardCharsets.UTF_8)));
        file.force(false);
    }

    /** By 32 threads. */
    private static double perSecond(Duration howLong, Throughput.Work work) throws Exception {
        return Throughput.perSecond(howLong.dividedBy(4), List.of(work, work)).stream()
                .reduce(0.0, Double::sum);
    }

    /** From when the first of them is done: how long it takes until the server is seen is another question. */
    private static double replayedPerSecond(WriteBacklog backlog) throws InterruptedException {
        long kept = backlog.size().entries();
        backlog.replay();
        while (backlog.size().entries() == kept) {
            Thread.sleep(10);
        }
        long replaying = System.nanoTime();
        long left = backlog.size().entries();
        while (backlog.size().entries() > 0) {
            Thread.sleep(2);
        }
        return left / ((System.nanoTime() - replaying) / 1e9);
    }
}
