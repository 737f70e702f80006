package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The first schedules of the simulation, the same ones on every machine: {@link UniqueSimulationTests} in small. */
class UniqueScheduleTests {

    @Test
    void keepsItsObligationsUnderTheFirstSchedules() {
        long successes = 0;
        for (long seed = 1; seed <= 600; seed++) {
            successes +=
                    new UniqueSchedule(seed, PlantedBug.NOTHING, false).run().successes();
        }
        assertThat(successes).isPositive();
    }

    @Test
    void keepsItsObligationsInTheFirstStories() {
        long successes = 0;
        for (long seed = 1; seed <= 120; seed++) {
            successes += new UniqueStory(seed, PlantedBug.NOTHING, false).run().successes();
        }
        assertThat(successes).isPositive();
    }
}
