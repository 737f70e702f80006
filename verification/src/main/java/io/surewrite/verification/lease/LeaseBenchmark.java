package io.surewrite.verification.lease;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.verification.Throughput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Leases beside a lock written by hand and beside ShedLock's requests, in one run on one server: alone, on a hot name of
 * one process and of two, and a thousand held at once. Only the ratios mean something. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-lease package}; {@code -Dverification.argument=3} takes three
 * nodes.
 */
public final class LeaseBenchmark {

    private static final Duration HOW_LONG = Duration.ofSeconds(8);
    private static final Duration WAIT = Duration.ofMinutes(1);

    private LeaseBenchmark() {}

    /**
     * Runs the benchmark.
     *
     * @param args the number of nodes
     * @throws Exception when the server cannot be started
     */
    public static void main(String[] args) throws Exception {
        int nodes = Integer.parseInt(args[0]);
        try (EmbeddedCassandra server = EmbeddedCassandra.builder()
                .nodes(nodes)
                .setting("paxos_variant", "v2")
                .jvmArgument("-XX:TieredStopAtLevel=4")
                .start()) {
            server.createKeyspace("lease");
            try (ConfigurableApplicationContext one = application(server);
                    ConfigurableApplicationContext other = application(server)) {
                LeaseLocks locks = one.getBean(LeaseLocks.class);
                HandWrittenLock byHand = new HandWrittenLock(one.getBean(CqlSession.class));
                alone(locks, byHand, new ShedLockRequests(one.getBean(CqlSession.class)));
                hot(locks, other.getBean(LeaseLocks.class), byHand, nodes == 1 ? 50 : 500);
                thousand(locks);
            }
        }
    }

    private static void alone(LeaseLocks locks, HandWrittenLock byHand, ShedLockRequests shedLock) {
        int rounds = 4_000;
        long[] ours = new long[rounds];
        long[] theirs = new long[rounds];
        long[] shedLocks = new long[rounds];
        for (int i = 0; i < 100; i++) {
            shedLock.makeRow("alone:" + i);
        }
        for (int i = -rounds; i < rounds; i++) {
            String name = "alone:" + Math.floorMod(i, 100);
            long start = System.nanoTime();
            locks.tryAcquire(name).orElseThrow().release();
            long middle = System.nanoTime();
            byHand.lockAndUnlock(name);
            long third = System.nanoTime();
            shedLock.lockAndUnlock(name);
            long end = System.nanoTime();
            if (i >= 0) {
                ours[i] = middle - start;
                theirs[i] = third - middle;
                shedLocks[i] = end - third;
            }
        }
        String what = "acquire + release, uncontended, p50 in ms";
        print(what, median(ours) / 1e6, "by hand", median(theirs) / 1e6, "at most 1.10");
        print(what, median(ours) / 1e6, "ShedLock's requests", median(shedLocks) / 1e6, "at most 1.00");
    }

    private static void hot(LeaseLocks locks, LeaseLocks other, HandWrittenLock byHand, int goal) throws Exception {
        double everyThread = Throughput.perSecond(HOW_LONG, List.of(() -> byHand.lockAndUnlock("hot")))
                .get(0);
        double queue =
                Throughput.perSecond(HOW_LONG, List.of(() -> hold(locks))).get(0);
        String all = "every thread at the cluster";
        print("hot name, 16 threads, holds/s", queue, all, everyThread, "at least " + goal);
        List<Double> both = Throughput.perSecond(HOW_LONG, List.of(() -> hold(locks), () -> hold(other)));
        print("hot name, two processes, holds/s in all", both.get(0) + both.get(1), all, everyThread, "at least 20");
        System.out.printf(
                Locale.ROOT,
                "  of these the slower process had %.0f %% (goal: at least 33)%n",
                100 * Math.min(both.get(0), both.get(1)) / (both.get(0) + both.get(1)));
    }

    private static void hold(LeaseLocks locks) throws InterruptedException {
        locks.acquire("hot", WAIT).release();
    }

    private static void thousand(LeaseLocks locks) throws InterruptedException {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            leases.add(locks.tryAcquire(LeaseRequest.of("many:" + i).withTtl(Duration.ofSeconds(6)))
                    .orElseThrow());
        }
        Thread.sleep(20_000);
        System.out.printf(
                "1,000 leases of 6 s after 20 s: %d held; timer threads of both processes: %d%n",
                leases.stream().filter(Lease::isHeld).count(),
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("surewrite-lease"))
                        .count());
        leases.forEach(Lease::releaseAsync);
    }

    private static ConfigurableApplicationContext application(EmbeddedCassandra server) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.cassandra.contact-points=127.0.0.1:"
                                + server.contactPoint().getPort(),
                        "spring.cassandra.local-datacenter=" + server.localDatacenter(),
                        "spring.cassandra.keyspace-name=lease",
                        "spring.cassandra.request.timeout=30s", // of DDL; conditional writes have their own
                        "surewrite.schema.initialize=always")
                .run();
    }

    private static double median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void print(String what, double ours, String whose, double theirs, String goal) {
        System.out.printf(
                Locale.ROOT,
                "%s: %.2f, %s %.2f, ratio %.2f (goal: %s)%n",
                what,
                ours,
                whose,
                theirs,
                ours / theirs,
                goal);
    }

    /** What both processes run. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
