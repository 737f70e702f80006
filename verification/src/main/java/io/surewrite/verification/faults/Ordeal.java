package io.surewrite.verification.faults;

import io.surewrite.embedded.EmbeddedCassandraBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.dao.DataAccessException;

/**
 * Trials on one cluster, which is disturbed.
 *
 * @param name of the run
 * @param nodes what is started
 * @param dataCentres where clients are, in turn; in the first of all if there are none
 * @param disturbance what is done to nodes and clients
 * @param trials all closed at the end
 */
record Ordeal(
        String name,
        EmbeddedCassandraBuilder nodes,
        List<String> dataCentres,
        Disturbance disturbance,
        List<Trial> trials) {

    private static final Duration UNTIL_THEY_ARE_WARM = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    /** What is done to nodes and clients until the end of a run. */
    interface Disturbance {

        /** Disturbs until the end, by {@code System.nanoTime()}, and leaves all as it was. */
        void disturb(Run run, History history, long seed, long end) throws IOException, InterruptedException;
    }

    /** Runs for a while, prints what came out, and throws if anything was wrong. */
    void run(Duration howLong) throws Exception {
        long seed = System.nanoTime();
        System.out.printf("Faults: %s, for %d seconds, seed %d%n", name, howLong.toSeconds(), seed);
        try (Run run = new Run(name, nodes, dataCentres);
                History history = History.open(run.directory(), "nemesis")) {
            try {
                Duration disturbed = disturb(run, history, howLong, seed);
                System.out.println("The histories are in " + run.directory());
                FaultReport.of(disturbed, seed, History.read(run.directory()), trials)
                        .printAndThrowIfWrong();
            } finally {
                trials.forEach(Trial::close);
            }
        }
    }

    /** {@return how long it was disturbed: a disturbance that has begun comes to its end} */
    private Duration disturb(Run run, History history, Duration howLong, long seed) throws Exception {
        for (Trial trial : trials) {
            trial.begin(run);
        }
        run.awaitClients();
        Thread.sleep(UNTIL_THEY_ARE_WARM.toMillis());
        long from = System.nanoTime();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> lookers = trials.stream()
                .map(trial -> new Thread(() -> lookAgainAndAgain(trial, history, over)))
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
            trial.lookAtTheEnd(run, history);
        }
        return disturbed;
    }

    private static void lookAgainAndAgain(Trial trial, History history, AtomicBoolean over) {
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
}
