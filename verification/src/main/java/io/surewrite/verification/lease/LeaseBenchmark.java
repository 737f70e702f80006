package io.surewrite.verification.lease;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.verification.Arguments;
import io.surewrite.verification.MeasuredApplication;
import io.surewrite.verification.PaxosServer;
import io.surewrite.verification.ServerJmx;
import io.surewrite.verification.Throughput;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Leases beside a lock written by hand and beside ShedLock's requests, in one run on one server: alone, by many
 * threads, on a hot name of one process and of two, with hundreds who wait, and with thousands held; then alone again with
 * Paxos v1, and, if asked, on three nodes. Only the ratios mean something. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-lease package}; {@code -Dverification.argument=3} takes three
 * nodes, and {@code 1,600,4,10} measures 600 rounds of each way, after ten seconds each to warm up, and what many threads do for
 * four seconds each; {@code 1,600,0,10,0,0} leaves out the threads, all that holds many leases, and Paxos v1, and
 * {@code 1,600,0,10,0,0,20} measures three nodes after it, where each way warms up for 20 seconds.
 */
public final class LeaseBenchmark {

    private static final int WAITERS = 200;
    private static final int IN_FLIGHT = 100;

    /** How many times longer a round on three nodes takes. */
    private static final int SLOWER = 25;

    private static final Duration WAIT = Duration.ofMinutes(1);
    static final String BY_HAND = "by hand";
    private static final String POLLING = "Spring Integration's polling loop";

    private LeaseBenchmark() {}

    /**
     * Runs the benchmark.
     *
     * @param args the number of nodes, of rounds, for how many seconds many threads work (0 for never) and each way warms
     *     up, how many leases are held at once (0 for none), and for how many seconds each way warms up with Paxos v1, and
     *     then on three nodes (0 for never), as one text with commas
     * @throws Exception when the server cannot be started
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "1", "6000", "8", "40", "10000", "10", "0");
        Figures figures = Figures.of("lease", arguments.toString());
        int rounds = arguments.number(1);
        try (EmbeddedCassandra server = PaxosServer.start(arguments.number(0));
                ConfigurableApplicationContext one = application(server);
                ConfigurableApplicationContext other = application(server)) {
            figures.on(server, "Paxos v2");
            LeaseLocks locks = one.getBean(LeaseLocks.class);
            HandWrittenLock byHand = new HandWrittenLock(one.getBean(CqlSession.class));
            Alone alone = new Alone(locks, byHand, one.getBean(CqlSession.class));
            alone.warm(arguments.seconds(3));
            alone.measure("uncontended", rounds, figures);
            alone.measureFirst("uncontended", rounds, figures);
            Duration busy = arguments.seconds(2);
            if (!busy.isZero()) {
                alone.byManyThreads(busy, figures);
                int goal = server.nodes().size() == 1 ? 50 : 500;
                hot(locks, other.getBean(LeaseLocks.class), byHand, busy, goal, figures);
                waiting(locks, byHand, busy, figures);
            }
            int held = arguments.number(4);
            if (held > 0) {
                thousand(locks, figures);
                besideMany(locks, byHand, held, rounds, figures);
            }
            Duration older = arguments.seconds(5);
            if (!older.isZero()) {
                ServerJmx.usePaxos(server, "v1");
                alone.warm(older);
                alone.measure("uncontended, Paxos v1", rounds, figures);
            }
        }
        Duration onThree = arguments.seconds(6);
        if (!onThree.isZero()) {
            onThreeNodes(onThree, Math.max(1, rounds / SLOWER), figures);
        }
    }

    /** Three are so slow on one machine that they alone would never have this process compiled. */
    private static void onThreeNodes(Duration warming, int rounds, Figures figures) throws Exception {
        try (EmbeddedCassandra servers = PaxosServer.start(3);
                ConfigurableApplicationContext application = application(servers)) {
            CqlSession session = application.getBean(CqlSession.class);
            Alone alone = new Alone(application.getBean(LeaseLocks.class), new HandWrittenLock(session), session);
            alone.warm(warming);
            figures.note("The last", "on three nodes, Paxos v2");
            alone.measure("uncontended, three nodes", rounds, figures);
            alone.measureFirst("uncontended, three nodes", rounds, figures);
        }
    }

    /** Hundreds of threads want one name. */
    private static void waiting(LeaseLocks locks, HandWrittenLock byHand, Duration busy, Figures figures)
            throws Exception {
        PollingLoop loop = new PollingLoop(byHand, "polled");
        double ours = perSecond(WAITERS, busy, () -> hold(locks));
        double polling = perSecond(WAITERS, busy, loop::lockAndUnlock);
        figures.add(Figure.ratio("hot name, " + WAITERS + " threads", "holds/s", ours, POLLING, polling));
    }

    private static double perSecond(int threads, Duration howLong, Throughput.Work work) throws Exception {
        return Throughput.perSecond(threads, howLong, List.of(work)).get(0);
    }

    /** What one more costs a process that already holds many, and renews them. */
    private static void besideMany(LeaseLocks locks, HandWrittenLock byHand, int many, int rounds, Figures figures) {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < many; i += IN_FLIGHT) {
            IntStream.range(i, Math.min(many, i + IN_FLIGHT))
                    .mapToObj(number -> locks.tryAcquireAsync(
                            LeaseRequest.of("beside:" + number).withTtl(Duration.ofMinutes(1))))
                    .toList()
                    .forEach(asked ->
                            leases.add(asked.toCompletableFuture().join().orElseThrow()));
        }
        Way ours = new Way(name -> locks.tryAcquire(name).orElseThrow().release());
        Way theirs = new Way(byHand::lockAndUnlock);
        Way.inTurns(rounds, ours, theirs);
        figures.add(ours.beside("acquire and release beside %,d leases held, p50".formatted(many), BY_HAND, theirs));
        figures.add(Figure.value("of these, held afterwards", "", (double)
                        leases.stream().filter(Lease::isHeld).count())
                .withGoal(Goal.atLeast(many)));
        // What follows is not to be measured beside them.
        leases.stream()
                .map(Lease::releaseAsync)
                .toList()
                .forEach(released -> released.toCompletableFuture().join());
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
        return MeasuredApplication.start(Application.class, server, "lease");
    }

    /** What both processes run. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
