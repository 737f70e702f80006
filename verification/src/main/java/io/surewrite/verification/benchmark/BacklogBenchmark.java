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
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * While the server stands still, writes are put into the backlog, beside flushes of as many bytes. When it goes on, they are
 * replayed, beside the same writes made directly.
 */
final class BacklogBenchmark implements Benchmarks.Benchmark {

    private static final int THREADS = 32;
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
            Throughput.Work flush = () -> flush(file);
            Contest contest = new Contest()
                    .with("put alone", put)
                    .with("one flush of 500 bytes", flush)
                    .run(howLong);
            contest.compare(results, "put alone", "one flush of 500 bytes", 2);
            double puts = Throughput.perSecond(THREADS, howLong.dividedBy(4), List.of(put))
                    .get(0);
            double flushes = Throughput.perSecond(1, howLong.dividedBy(4), List.of(flush))
                    .get(0);
            results.atLeast(6, "puts of 32 threads", "/s", puts, "flushes of one", flushes);
            server.node(0).resume();
            replay(backlog, session, insert, results);
        }
    }

    private Statement<?> next(PreparedStatement insert) {
        return insert.bind(count.incrementAndGet(), TEXT);
    }

    private static void flush(FileChannel file) throws Exception {
        file.write(ByteBuffer.wrap(TEXT.getBytes(StandardCharsets.UTF_8)));
        file.force(false);
    }

    /** From when the first of them is done: how long it takes until the server is seen is another question. */
    private void replay(WriteBacklog backlog, CqlSession session, PreparedStatement insert, Results results)
            throws InterruptedException {
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
        double replayed = left / ((System.nanoTime() - replaying) / 1e9);
        Semaphore underWay = new Semaphore(THREADS);
        double direct = 0;
        for (int round = 0; round < 2; round++) { // the first warms up
            long start = System.nanoTime();
            for (int i = 0; i < kept; i++) {
                underWay.acquire();
                var unused = session.executeAsync(next(insert)).whenComplete((answer, failure) -> underWay.release());
            }
            underWay.acquire(THREADS);
            underWay.release(THREADS);
            direct = kept / ((System.nanoTime() - start) / 1e9);
        }
        results.atLeast(0.8, "replay", "/s", replayed, "the same writes directly", direct);
    }
}
