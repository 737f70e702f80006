package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Schedules;
import io.surewrite.testsupport.BothLanes;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulation of {@link UniqueSimulationTests} where a row was there before its constraint, and has no claim yet: from
 * the first save that succeeds on, its values are its own.
 */
@BothLanes
class ExistingRowSimulationTests {

    private final AtomicLong successes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    @Test
    void keepsItsObligationsUnderEverySchedule() throws Exception {
        long schedules = Schedules.run(
                1,
                seed -> {
                    UniqueLedger ledger = story(seed, PlantedBug.NOTHING, false).run();
                    successes.addAndGet(ledger.successes());
                    failures.addAndGet(ledger.failures());
                },
                seed -> {
                    UniqueStory again = story(seed, PlantedBug.NOTHING, true);
                    return Schedules.history(seed, again::run, again::history);
                });
        System.out.printf(
                "Unique values simulation of rows without claims: %,d schedules from seed %d on, %,d successes, %,d failures;"
                        + " no violation%n",
                schedules, Schedules.FIRST_SEED, successes.get(), failures.get());
        assertThat(successes).hasPositiveValue();
        assertThat(failures).hasPositiveValue();
    }

    @ParameterizedTest
    @EnumSource(
            value = PlantedBug.class,
            names = {"NO_JOIN", "OLD_ID_WHEN_RAISED"})
    void noticesAPlantedBug(PlantedBug bug) {
        Schedules.notice(bug, 1, seed -> story(seed, bug, false).run());
    }

    private static UniqueStory story(long seed, PlantedBug bug, boolean recording) {
        return UniqueStory.beforeTheBuild(seed, bug, recording);
    }
}
