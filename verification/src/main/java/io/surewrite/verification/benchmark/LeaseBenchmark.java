package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.verification.benchmark.MeasuredApplication.Bare;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Leases beside ShedLock's requests, on names that nobody else wants; then many threads of one process, and of two, that want
 * one name.
 */
final class LeaseBenchmark implements Benchmarks.Benchmark {

    private static final int NAMES = 100;
    private static final Duration WAIT = Duration.ofMinutes(1);

    private final AtomicLong count = new AtomicLong();

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        try (ConfigurableApplicationContext one = MeasuredApplication.start(Bare.class, server, "lease");
                ConfigurableApplicationContext other = MeasuredApplication.start(Bare.class, server, "lease")) {
            CqlSession session = one.getBean(CqlSession.class);
            LeaseLocks locks = one.getBean(LeaseLocks.class);
            HandWrittenLock byHand = new HandWrittenLock(session);
            ShedLockRequests shedLock = new ShedLockRequests(session);
            String ours = "acquire and release";
            Contest contest = new Contest()
                    .with(ours, () -> locks.tryAcquire(name()).orElseThrow().release())
                    .with("ShedLock's requests", () -> shedLock.lockAndUnlock(name()))
                    .run(howLong);
            contest.compare(results, ours, "ShedLock's requests", 1);
            hot(locks, other.getBean(LeaseLocks.class), byHand, howLong.dividedBy(10), results);
        }
    }

    private static void hot(
            LeaseLocks locks, LeaseLocks other, HandWrittenLock byHand, Duration howLong, Results results)
            throws Exception {
        String whose = "every thread at the cluster, by hand";
        double everyThread = Throughput.perSecond(howLong, List.of(() -> byHand.lockAndUnlock("hot")))
                .get(0);
        double queue = Throughput.perSecond(howLong, List.of(() -> hold(locks))).get(0);
        List<Double> both = Throughput.perSecond(howLong, List.of(() -> hold(locks), () -> hold(other)));
        results.atLeast(50, "hot name, 16 threads", "holds/s", queue, whose, everyThread);
        results.atLeast(
                20,
                "hot name, 16 threads in each of two processes",
                "holds/s",
                both.get(0) + both.get(1),
                whose,
                everyThread);
        results.atLeast(
                0.5,
                "share of the slower process",
                "holds/s",
                Math.min(both.get(0), both.get(1)),
                "the faster",
                Math.max(both.get(0), both.get(1)));
    }

    private static void hold(LeaseLocks locks) throws InterruptedException {
        locks.acquire("hot", WAIT).release();
    }

    /** A thread has names to itself. */
    private String name() {
        return Thread.currentThread().getId() + ":" + count.incrementAndGet() % NAMES;
    }
}
