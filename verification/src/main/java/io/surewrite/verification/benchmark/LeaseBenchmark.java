package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.verification.benchmark.MeasuredApplication.Bare;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/** Many threads of one process, and of two, that want one name, beside as many that ask the cluster by hand. */
final class LeaseBenchmark implements Benchmarks.Benchmark {

    private static final Duration WAIT = Duration.ofMinutes(1);

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        try (ConfigurableApplicationContext one = MeasuredApplication.start(Bare.class, server, "lease");
                ConfigurableApplicationContext other = MeasuredApplication.start(Bare.class, server, "lease")) {
            HandWrittenLock byHand = new HandWrittenLock(one.getBean(CqlSession.class));
            Throughput.Work ours = () -> hold(one.getBean(LeaseLocks.class));
            Throughput.Work theirs = () -> hold(other.getBean(LeaseLocks.class));
            Duration turn = howLong.dividedBy(3);
            String whose = "every thread at the cluster, by hand";
            double everyThread = Throughput.perSecond(turn, List.of(() -> byHand.lockAndUnlock("hot")))
                    .get(0);
            double queue = Throughput.perSecond(turn, List.of(ours)).get(0);
            List<Double> both = Throughput.perSecond(turn, List.of(ours, theirs));
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
                    Collections.min(both),
                    "the faster",
                    Collections.max(both));
        }
    }

    private static void hold(LeaseLocks locks) throws InterruptedException {
        locks.acquire("hot", WAIT).release();
    }
}
