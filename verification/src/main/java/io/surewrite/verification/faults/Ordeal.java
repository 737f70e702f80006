package io.surewrite.verification.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.dao.DataAccessException;

/** Trials on one cluster, disturbed for a while. */
final class Ordeal {

    private static final Duration LONGEST_PAUSE = LeaseClient.TTL.multipliedBy(3);
    private static final Duration UNTIL_THEY_ARE_WARM = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    /** What is done to nodes and clients until the end of a run. */
    interface Disturbance {

        /** Disturbs until the end, by {@code System.nanoTime()}, and leaves all as it was. */
        void disturb(Run run, History history, long seed, long end) throws IOException, InterruptedException;
    }

    private final Run run;
    private final List<? extends Trial> trials;
    private final History history;

    private Ordeal(Run run, List<? extends Trial> trials, History history) {
        this.run = run;
        this.trials = trials;
        this.history = history;
    }

    /**
     * Runs for a while.
     *
     * @param name of the run
     * @param seconds how long it is disturbed
     * @param trials all closed at the end
     * @return what came out, printed already
     */
    static FaultReport run(String name, String seconds, List<? extends Trial> trials) throws Exception {
        return run(name, seconds, trials, () -> new Run(name), Ordeal::strike);
    }

    /**
     * Runs for a while.
     *
     * @param name of the run
     * @param seconds how long it is disturbed
     * @param trials all closed at the end
     * @param cluster starts the nodes
     * @param disturbance what is done to them
     * @return what came out, printed already
     */
    static FaultReport run(
            String name, String seconds, List<? extends Trial> trials, Callable<Run> cluster, Disturbance disturbance)
            throws Exception {
        long seed = System.nanoTime();
        System.out.printf("Faults: %s, for %s seconds, seed %d%n", name, seconds, seed);
        try (Run run = cluster.call();
                History history = History.open(run.directory(), "nemesis")) {
            try {
                Duration disturbed = new Ordeal(run, trials, history)
                        .run(Duration.ofSeconds(Long.parseLong(seconds)), seed, disturbance);
                FaultReport report = FaultReport.of(disturbed, seed, run.events(), trials);
                report.print();
                System.out.println("The histories are in " + run.directory());
                return report;
            } finally {
                trials.forEach(Trial::close);
            }
        }
    }

    /** {@return how long it was disturbed: a disturbance that has begun comes to its end} */
    private Duration run(Duration howLong, long seed, Disturbance disturbance) throws Exception {
        for (Trial trial : trials) {
            trial.begin(run);
        }
        run.awaitClients();
        Thread.sleep(UNTIL_THEY_ARE_WARM.toMillis());
        long from = System.nanoTime();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> lookers = trials.stream()
                .map(trial -> new Thread(() -> lookAgainAndAgain(trial, over)))
                .toList();
        lookers.forEach(Thread::start);
        disturbance.disturb(run, history, seed, from + howLong.toNanos());
        Duration disturbed = Duration.ofNanos(System.nanoTime() - from);
        history.add(Event.RUN, "", 0, from);
        over.set(true);
        for (Thread looker : lookers) {
            looker.join();
        }
        run.finishClients();
        for (Trial trial : trials) {
            trial.lookAtTheEnd(run);
        }
        return disturbed;
    }

    private void lookAgainAndAgain(Trial trial, AtomicBoolean over) {
        while (!over.get()) {
            try {
                trial.look(history);
                Thread.sleep(BETWEEN_LOOKS.toMillis());
            } catch (DataAccessException later) {
                history.add(Event.FAILED, "", 0, System.nanoTime());
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** After each disturbance it is quiet, mostly for so long that a blocked name would be noticed. */
    static void strike(Run run, History history, long seed, long end) throws IOException, InterruptedException {
        Nemesis nemesis = new Nemesis(run.cluster(), run.clients(), history, seed, LONGEST_PAUSE);
        Random random = new Random(seed);
        long blocked = LeaseFaults.LONGEST_BLOCKED.toMillis();
        while (System.nanoTime() < end) {
            nemesis.strike();
            Thread.sleep(random.nextLong(blocked / 2, blocked * 3 / 2));
        }
        Thread.sleep(blocked + 1000);
    }
}
