package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.ClockFault;
import io.surewrite.simulation.Schedules;
import io.surewrite.testsupport.BothLanes;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulation of {@link UniqueSimulationTests} over tables with a set, each element of which is a cell of its own: the
 * ledger takes a union of two writes for what it is, a value that no process has written.
 */
@BothLanes
class CollectionSimulationTests {

    private final AtomicLong successes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    @Test
    void keepsItsObligationsUnderEverySchedule() throws Exception {
        long schedules = Schedules.run(
                2,
                seed -> {
                    UniqueLedger ledger = run(seed, PlantedBug.NOTHING);
                    successes.addAndGet(ledger.successes());
                    failures.addAndGet(ledger.failures());
                },
                seed -> history(seed, PlantedBug.NOTHING));
        System.out.printf(
                "Unique values simulation with sets: %,d schedules from seed %d on, %,d successes, %,d failures; no violation%n",
                schedules, Schedules.FIRST_SEED, successes.get(), failures.get());
        assertThat(successes).hasPositiveValue();
        assertThat(failures).hasPositiveValue();
    }

    @ParameterizedTest
    @EnumSource(
            value = PlantedBug.class,
            names = {"RESTORED_ON_TOP_OF_A_SET"})
    void noticesAPlantedBug(PlantedBug bug) {
        Schedules.notice(bug, 1, seed -> {
            story(seed, bug, false).run();
            schedule(seed, bug, false).run();
        });
    }

    private static boolean isStory(long seed) {
        return seed % 5 == 0;
    }

    private static UniqueLedger run(long seed, PlantedBug bug) {
        return isStory(seed)
                ? story(seed, bug, false).run()
                : schedule(seed, bug, false).run();
    }

    private static String history(long seed, PlantedBug bug) {
        if (isStory(seed)) {
            UniqueStory story = story(seed, bug, true);
            return Schedules.history(seed, story::run, story::history);
        }
        UniqueSchedule schedule = schedule(seed, bug, true);
        return Schedules.history(seed, schedule::run, schedule::history);
    }

    private static UniqueStory story(long seed, PlantedBug bug, boolean recording) {
        return new UniqueStory(seed, bug, SimShape.COLLECTING, recording);
    }

    private static UniqueSchedule schedule(long seed, PlantedBug bug, boolean recording) {
        return new UniqueSchedule(seed, bug, ClockFault.NONE, SimShape.COLLECTING, recording);
    }
}
