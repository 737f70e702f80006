package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.surewrite.simulation.Violation;
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
 * Runs the real lease code through simulated schedules, each with a seed of its own.
 *
 * <p>{@code -Dsurewrite.simulation.seconds=300} gives it more time, {@code -Dsurewrite.simulation.threads=2} more
 * processors. A failure prints its seed and its history; {@code -Dsurewrite.simulation.seed=N} begins with that seed.
 */
class LeaseSimulationTests {

    private static final long FIRST_SEED = Long.getLong("surewrite.simulation.seed", 1);
    private static final Duration BUDGET = Duration.ofSeconds(Long.getLong("surewrite.simulation.seconds", 20));
    private static final int THREADS = Integer.getInteger("surewrite.simulation.threads", 1);

    private final AtomicLong nextSeed = new AtomicLong(FIRST_SEED);
    private final AtomicLong holds = new AtomicLong();
    private final AtomicLong handOvers = new AtomicLong();
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
                "Lease simulation: %,d schedules from seed %d on, %,d holds, %,d of them handed over; no violation%n",
                nextSeed.get() - FIRST_SEED, FIRST_SEED, holds.get(), handOvers.get());
        assertThat(handOvers).hasPositiveValue();
    }

    @ParameterizedTest
    @EnumSource(value = Plant.class, names = "NOTHING", mode = EnumSource.Mode.EXCLUDE)
    void noticesAPlantedBug(Plant plant) {
        for (long seed = 1; seed < 100_000; seed++) {
            try {
                new LeaseSchedule(seed, plant, false).run();
            } catch (Violation violation) {
                System.out.printf("%s noticed by seed %d: %s%n", plant, seed, violation.getMessage());
                return;
            }
        }
        fail("Nobody notices " + plant);
    }

    @Test
    void repeatsAFailureFromItsSeed() {
        long seed = LongStream.range(0, 10_000)
                .filter(candidate ->
                        history(candidate, Plant.RELEASE_WITHOUT_TOKEN).contains("L5: the release of"))
                .findFirst()
                .orElseThrow();
        String once = history(seed, Plant.RELEASE_WITHOUT_TOKEN);
        assertThat(once).contains("HOLDS").contains("acquire");
        assertThat(history(seed, Plant.RELEASE_WITHOUT_TOKEN)).isEqualTo(once);
    }

    private Void runUntil(long end) {
        while (System.nanoTime() < end && failure.get() == null) {
            long seed = nextSeed.getAndIncrement();
            try {
                LeaseLedger ledger = new LeaseSchedule(seed, Plant.NOTHING, false).run();
                holds.addAndGet(ledger.grants());
                handOvers.addAndGet(ledger.handOvers());
            } catch (Violation violation) {
                failure.compareAndSet(null, history(seed, Plant.NOTHING));
            }
        }
        return null;
    }

    private static String history(long seed, Plant plant) {
        LeaseSchedule schedule = new LeaseSchedule(seed, plant, true);
        try {
            schedule.run();
        } catch (Violation violation) {
            return "%s%nSeed %d: %s".formatted(schedule.history(), seed, violation.getMessage());
        }
        return "Seed %d does not fail when it is repeated%n".formatted(seed);
    }
}
