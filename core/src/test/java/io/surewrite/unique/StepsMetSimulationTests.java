package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Steps;
import io.surewrite.testsupport.Nightly;
import org.junit.jupiter.api.Test;

/** How often each step of the protocol has met a request that is lost or late, a crash, and a second operation of its row. */
class StepsMetSimulationTests {

    private static final long LEAST = 50_000;
    private static final long MOST = 10_000_000;

    /**
     * Tells harsh stories until all have met all a thousand times. Run it by itself with {@code
     * -Dtest=StepsMetSimulationTests -Dtest.groups=nightly -Dtest.excluded=}.
     */
    @Nightly
    @Test
    void eachStepMeetsEachFault() {
        Steps steps = new Steps();
        long seed = 3; // of each four the one that is harsh
        while (seed < LEAST || (seed < MOST && !steps.haveMetAll())) {
            new UniqueStory(seed, PlantedBug.NOTHING, SimShape.ALL, false)
                    .counting(steps)
                    .run();
            UniqueStory.beforeTheBuild(seed, PlantedBug.NOTHING, false)
                    .counting(steps)
                    .run();
            seed += 4;
        }
        System.out.printf("Harsh stories of unique values: %,d of each kind; no violation%n%s%n", seed / 4, steps);
        assertThat(steps.haveMetAll()).isTrue();
    }
}
