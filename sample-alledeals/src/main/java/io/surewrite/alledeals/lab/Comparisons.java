package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Comparison.Side;
import io.surewrite.alledeals.lab.Experiment.Verdict;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Runs both sides of an experiment at the same time, with one seed and on one database. One experiment at a time. */
@Component
class Comparisons {

    private static final Logger log = LoggerFactory.getLogger(Comparisons.class);

    /** A side waits for its people for a minute, and says so itself when they take longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Map<String, Experiment> experiments = new LinkedHashMap<>();
    private final BadNetwork network;
    private final ReentrantLock turn = new ReentrantLock(true);

    Comparisons(List<Experiment> experiments, BadNetwork network) {
        this.network = network;
        for (String name : Experiment.TEXTS.keySet()) {
            experiments.stream()
                    .filter(experiment -> experiment.name().equals(name))
                    .forEach(experiment -> this.experiments.put(name, experiment));
        }
    }

    /** What can run here, in the order of the page. */
    List<Experiment> all() {
        return experiments.values().stream().filter(Experiment::isPossible).toList();
    }

    Optional<Experiment> find(String name) {
        return Optional.ofNullable(experiments.get(name)).filter(Experiment::isPossible);
    }

    Comparison run(Experiment experiment, long seed) {
        turn.lock();
        try {
            Meeting meeting = new Meeting();
            Run plain = new Run(network, seed, meeting);
            Run sure = new Run(network, seed, meeting);
            List<Verdict> verdicts = Run.together(
                    List.of(
                            () -> verdict(plain, meeting, () -> experiment.plain(plain)),
                            () -> verdict(sure, meeting, () -> experiment.sure(sure))),
                    PATIENCE);
            return new Comparison(
                    experiment,
                    seed,
                    new Side(verdicts.get(0), plain.timeline()),
                    new Side(verdicts.get(1), sure.timeline()));
        } finally {
            turn.unlock();
        }
    }

    /** A side that fails is wrong, and keeps the other one from waiting for it. */
    private static Verdict verdict(Run run, Meeting meeting, Callable<Verdict> side) {
        try (run) {
            return side.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        } catch (Exception trouble) {
            log.warn("One side of an experiment failed", trouble);
            return new Verdict("It failed: " + trouble.getMessage(), false);
        } finally {
            meeting.leave();
        }
    }
}
