package io.surewrite.verification.lease;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.verification.Arguments;
import io.surewrite.verification.Throughput;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
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
 * nodes, and {@code 1,600,4,10} measures 600 rounds of each way, after ten seconds each to warm up, and hot names for four
 * seconds.
 */
public final class LeaseBenchmark {

    private static final int NAMES = 100;
    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final String POLLING = "Spring Integration's polling loop";

    private LeaseBenchmark() {}

    /**
     * Runs the benchmark.
     *
     * @param args the number of nodes, of rounds, and for how many seconds names are hot, and each way warms up, as one text
     *     with commas
     * @throws Exception when the server cannot be started
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "1", "6000", "8", "40");
        Figures figures = Figures.of("lease", arguments.toString());
        int nodes = arguments.number(0);
        try (EmbeddedCassandra server = EmbeddedCassandra.builder()
                .nodes(nodes)
                .setting("paxos_variant", "v2")
                .jvmArgument("-XX:TieredStopAtLevel=4")
                .start()) {
            server.createKeyspace("lease");
            figures.on(server, "Paxos v2");
            try (ConfigurableApplicationContext one = application(server);
                    ConfigurableApplicationContext other = application(server)) {
                LeaseLocks locks = one.getBean(LeaseLocks.class);
                HandWrittenLock byHand = new HandWrittenLock(one.getBean(CqlSession.class));
                ShedLockRequests shedLock = new ShedLockRequests(one.getBean(CqlSession.class));
                warm(locks, byHand, shedLock, arguments.seconds(3));
                alone(locks, byHand, shedLock, arguments.number(1), figures);
                hot(
                        locks,
                        other.getBean(LeaseLocks.class),
                        byHand,
                        arguments.seconds(2),
                        nodes == 1 ? 50 : 500,
                        figures);
                thousand(locks, figures);
            }
        }
    }

    /** Each thread with a name of its own, until the compilers of client and server have done most of it. */
    private static void warm(LeaseLocks locks, HandWrittenLock byHand, ShedLockRequests shedLock, Duration howLong)
            throws Exception {
        ThreadLocal<String> names = ThreadLocal.withInitial(() -> {
            String name = "warm:" + Thread.currentThread().getId();
            shedLock.makeRow(name);
            return name;
        });
        Throughput.perSecond(
                howLong,
                List.of(() -> locks.tryAcquire(names.get()).orElseThrow().release()));
        Throughput.perSecond(howLong, List.of(() -> byHand.lockAndUnlock(names.get())));
        Throughput.perSecond(howLong, List.of(() -> shedLock.lockAndUnlock(names.get())));
    }

    /** In an order that changes, since what one leaves behind at the server may slow the next. */
    private static void alone(
            LeaseLocks locks, HandWrittenLock byHand, ShedLockRequests shedLock, int rounds, Figures figures) {
        for (int i = 0; i < NAMES; i++) {
            shedLock.makeRow("alone:" + i);
        }
        Way ours = new Way(rounds, name -> locks.tryAcquire(name).orElseThrow().release());
        Way theirs = new Way(rounds, byHand::lockAndUnlock);
        Way shedLocks = new Way(rounds, shedLock::lockAndUnlock);
        List<Way> ways = new ArrayList<>(List.of(ours, theirs, shedLocks));
        Random random = new Random(1);
        for (int i = 0; i < rounds; i++) {
            String name = "alone:" + i % NAMES;
            Collections.shuffle(ways, random);
            for (Way way : ways) {
                way.go(name, i);
            }
        }
        String what = "acquire and release, uncontended, p50";
        figures.add(Figure.ratio(what, "ms", ours.medianMillis(), "by hand", theirs.medianMillis())
                .withGoal(Goal.atMost(1.10)));
        figures.add(Figure.ratio(what, "ms", ours.medianMillis(), "ShedLock's requests", shedLocks.medianMillis())
                .withGoal(Goal.atMost(1)));
    }

    private static void hot(
            LeaseLocks locks, LeaseLocks other, HandWrittenLock byHand, Duration howLong, int goal, Figures figures)
            throws Exception {
        double everyThread = Throughput.perSecond(howLong, List.of(() -> byHand.lockAndUnlock("hot")))
                .get(0);
        PollingLoop loop = new PollingLoop(byHand, "polling");
        double polling =
                Throughput.perSecond(howLong, List.of(loop::lockAndUnlock)).get(0);
        double queue = Throughput.perSecond(howLong, List.of(() -> hold(locks))).get(0);
        String all = "every thread at the cluster";
        figures.add(Figure.ratio("hot name, 16 threads", "holds/s", queue, all, everyThread)
                .withGoal(Goal.atLeast(goal)));
        figures.add(Figure.ratio("hot name, 16 threads", "holds/s", queue, POLLING, polling));
        List<Double> both = Throughput.perSecond(howLong, List.of(() -> hold(locks), () -> hold(other)));
        PollingLoop otherLoop = new PollingLoop(byHand, "polling");
        double bothPolling =
                Throughput.perSecond(howLong, List.of(loop::lockAndUnlock, otherLoop::lockAndUnlock)).stream()
                        .mapToDouble(Double::doubleValue)
                        .sum();
        double sum = both.get(0) + both.get(1);
        figures.add(Figure.ratio("hot name, 16 threads in each of two processes", "holds/s", sum, all, everyThread)
                .withGoal(Goal.atLeast(20)));
        figures.add(
                Figure.ratio("hot name, 16 threads in each of two processes", "holds/s", sum, POLLING, bothPolling));
        figures.add(Figure.value(
                        "share of these of the slower process", "%", 100 * Math.min(both.get(0), both.get(1)) / sum)
                .withGoal(Goal.atLeast(33)));
    }

    private static void hold(LeaseLocks locks) throws InterruptedException {
        locks.acquire("hot", WAIT).release();
    }

    private static void thousand(LeaseLocks locks, Figures figures) throws InterruptedException {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            leases.add(locks.tryAcquire(LeaseRequest.of("many:" + i).withTtl(Duration.ofSeconds(6)))
                    .orElseThrow());
        }
        Thread.sleep(20_000);
        figures.add(Figure.value("of 1,000 leases of 6 s, held after 20 s", "", (double)
                        leases.stream().filter(Lease::isHeld).count())
                .withGoal(Goal.atLeast(1_000)));
        figures.add(Figure.value("timer threads of both processes then", "", (double)
                        Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().equals("surewrite-lease"))
                                .count())
                .withGoal(Goal.atMost(2)));
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

    /** A way to lock and unlock, and what it took. */
    private static final class Way {

        private final Consumer<String> lockAndUnlock;
        private final long[] times;

        Way(int rounds, Consumer<String> lockAndUnlock) {
            this.times = new long[rounds];
            this.lockAndUnlock = lockAndUnlock;
        }

        void go(String name, int round) {
            long start = System.nanoTime();
            lockAndUnlock.accept(name);
            times[round] = System.nanoTime() - start;
        }

        double medianMillis() {
            return Arrays.stream(times).sorted().toArray()[times.length / 2] / 1e6;
        }
    }

    /** What both processes run. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
