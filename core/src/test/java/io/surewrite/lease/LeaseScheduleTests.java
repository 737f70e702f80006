package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The first schedules of the simulation, the same ones on every machine: {@link LeaseSimulationTests} in small. */
class LeaseScheduleTests {

    @Test
    void keepsItsObligationsUnderTheFirstSchedules() {
        long handOvers = 0;
        for (long seed = 1; seed <= 1_000; seed++) {
            handOvers += new LeaseSchedule(seed, PlantedLeaseBug.NOTHING, false)
                    .run()
                    .handOvers();
        }
        assertThat(handOvers).isPositive();
    }
}
