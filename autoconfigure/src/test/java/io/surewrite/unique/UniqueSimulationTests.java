package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the real guard through simulated schedules, each with a seed of its own.
 *
 * <p>{@code -Dsurewrite.simulation.seconds=300} gives it more time, {@code -Dsurewrite.simulation.threads=2} more
 * processors. A failure prints its seed and its history; {@code -Dsurewrite.simulation.seed=N} begins with that seed.
 */
class UniqueSimulationTests {

    private static final long FIRST_SEED = Long.getLong("surewrite.simulation.seed", 1);
    private static final Duration BUDGET = Duration.ofSeconds(Long.getLong("surewrite.simulation.seconds", 15));
    private static final long SCHEDULES = Long.getLong("surewrite.simulation.schedules", 10_000);
    private static final int THREADS = Integer.getInteger("surewrite.simulation.threads", 1);

    private final AtomicLong nextSeed = new AtomicLong(FIRST_SEED);
    private final AtomicLong successes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong unknowns = new AtomicLong();
    private final AtomicReference<String> failure = new AtomicReference<>();

    @Test
    void keepsItsObligationsUnderEverySchedule() throws Exception {
        long end = System.nanoTime() + BUDGET.toNanos();
        var workers = Executors.newFixedThreadPool(THREADS);
        try {
            Callable<Void> worker = () -> runUntil(end);
            for (var done : workers.invokeAll(
                    IntStream.range(0, THREADS).mapToObj(i -> worker).toList())) {
                done.get();
            }
        } finally {
            workers.shutdown();
        }
        if (failure.get() != null) {
            fail(failure.get());
        }
        System.out.printf(
                "Unique values simulation: %,d schedules from seed %d on, %,d successes, %,d failures, %,d unknown; no violation%n",
                Math.min(nextSeed.get() - FIRST_SEED, SCHEDULES),
                FIRST_SEED,
                successes.get(),
                failures.get(),
                unknowns.get());
        assertThat(successes).hasPositiveValue();
        assertThat(failures).hasPositiveValue();
    }

    @ParameterizedTest
    @EnumSource(value = PlantedBug.class, names = "NOTHING", mode = EnumSource.Mode.EXCLUDE)
    void noticesAPlantedBug(PlantedBug bug) {
        for (long seed = 1; seed < 1_000_000; seed++) {
            try {
                new UniqueStory(seed, bug, false).run();
                new UniqueSchedule(seed, bug, false).run();
            } catch (io.surewrite.simulation.Violation violation) {
                System.out.printf("%s noticed by seed %d: %s%n", bug, seed, violation.getMessage());
                return;
            }
        }
        fail("Nobody notices " + bug);
    }

    @Test
    void repeatsAFailureFromItsSeed() {
        long seed = LongStream.range(0, 100_000)
                .filter(candidate -> history(candidate, PlantedBug.NO_FENCE).contains("U1: "))
                .findFirst()
                .orElseThrow();
        String once = history(seed, PlantedBug.NO_FENCE);
        assertThat(once).contains("BEGINS").contains("create");
        assertThat(history(seed, PlantedBug.NO_FENCE)).isEqualTo(once);
    }

    private Void runUntil(long end) {
        while (System.nanoTime() < end && failure.get() == null) {
            long seed = nextSeed.getAndIncrement();
            if (seed >= FIRST_SEED + SCHEDULES) {
                break;
            }
            try {
                UniqueLedger ledger = run(seed, PlantedBug.NOTHING);
                successes.addAndGet(ledger.successes());
                failures.addAndGet(ledger.failures());
                unknowns.addAndGet(ledger.unknowns());
            } catch (io.surewrite.simulation.Violation violation) {
                failure.compareAndSet(null, history(seed, PlantedBug.NOTHING));
            }
        }
        return null;
    }

    /** One schedule in five is a story. */
    private static boolean isStory(long seed) {
        return seed % 5 == 0;
    }

    private static UniqueLedger run(long seed, PlantedBug bug) {
        return isStory(seed) ? new UniqueStory(seed, bug, false).run() : new UniqueSchedule(seed, bug, false).run();
    }

    private static String history(long seed, PlantedBug bug) {
        UniqueStory story = new UniqueStory(seed, bug, true);
        UniqueSchedule schedule = new UniqueSchedule(seed, bug, true);
        try {
            if (isStory(seed)) {
                story.run();
            } else {
                schedule.run();
            }
        } catch (io.surewrite.simulation.Violation violation) {
            return "%s%nSeed %d: %s"
                    .formatted(isStory(seed) ? story.history() : schedule.history(), seed, violation.getMessage());
        }
        return "Seed %d does not fail when it is repeated%n".formatted(seed);
    }
}
