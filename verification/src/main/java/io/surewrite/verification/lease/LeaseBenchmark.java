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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
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

    private static final int NAMES = 100;
    private static final int WARMING = 12_000; // until both compilers are done
    private static final int ROUNDS = 6_000;
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

    /** In an order that changes, since what one leaves behind at the server may slow the next. */
    private static void alone(LeaseLocks locks, HandWrittenLock byHand, ShedLockRequests shedLock) {
        for (int i = 0; i < NAMES; i++) {
            shedLock.makeRow("alone:" + i);
        }
        Way ours = new Way(name -> locks.tryAcquire(name).orElseThrow().release());
        Way theirs = new Way(byHand::lockAndUnlock);
        Way shedLocks = new Way(shedLock::lockAndUnlock);
        List<Way> ways = new ArrayList<>(List.of(ours, theirs, shedLocks));
        Random random = new Random(1);
        for (int i = -WARMING; i < ROUNDS; i++) {
            String name = "alone:" + Math.floorMod(i, NAMES);
            Collections.shuffle(ways, random);
            for (Way way : ways) {
                way.go(name, i);
            }
        }
        String what = "acquire + release, uncontended, p50 in ms";
        print(what, ours.medianMillis(), "by hand", theirs.medianMillis(), "at most 1.10");
        print(what, ours.medianMillis(), "ShedLock's requests", shedLocks.medianMillis(), "at most 1.00");
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

    /** A way to lock and unlock, and what it took. */
    private static final class Way {

        private final Consumer<String> lockAndUnlock;
        private final long[] times = new long[ROUNDS];

        Way(Consumer<String> lockAndUnlock) {
            this.lockAndUnlock = lockAndUnlock;
        }

        /** Goes it once; a negative round only warms up. */
        void go(String name, int round) {
            long start = System.nanoTime();
            lockAndUnlock.accept(name);
            long took = System.nanoTime() - start;
            if (round >= 0) {
                times[round] = took;
            }
        }

        double medianMillis() {
            return Arrays.stream(times).sorted().toArray()[ROUNDS / 2] / 1e6;
        }
    }

    /** What both processes run. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
