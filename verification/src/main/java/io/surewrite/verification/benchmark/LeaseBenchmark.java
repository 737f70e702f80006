package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.verification.benchmark.MeasuredApplication.Bare;
import java.time.Duration;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/** Many threads of one process, and of two, that want one name, beside a lock by hand. */
final class LeaseBenchmark implements Benchmarks.Benchmark {

    private static final Duration WAIT = Duration.ofMinutes(1);

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        try (ConfigurableApplicationContext one = MeasuredApplication.start(Bare.class, server, "lease");
                ConfigurableApplicationContext other = MeasuredApplication.start(Bare.class, server, "lease")) {
            CqlSession session = one.getBean(CqlSession.class);
            LeaseLocks locks = one.getBean(LeaseLocks.class);
            LeaseLocks others = other.getBean(LeaseLocks.class);
            Duration turn = howLong.dividedBy(10);
            HandWrittenLock byHand = new HandWrittenLock(session);
            String whose = "every thread at the cluster, by hand";
            double everyThread = Throughput.perSecond(turn, List.of(() -> byHand.lockAndUnlock("hot")))
                    .get(0);
            double queue = Throughput.perSecond(turn, List.of(() -> hold(locks))).get(0);
            List<Double> both = Throughput.perSecond(turn, List.of(() -> hold(locks), () -> hold(others)));
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
    }

    private static void hold(LeaseLocks locks) throws InterruptedException {
        locks.acquire("hot", WAIT).release();
    }
}
