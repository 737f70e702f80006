package io.surewrite.internal.lwt;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.lwt.ConditionLedger.End;
import io.surewrite.simulation.Schedules;
import io.surewrite.testsupport.BothLanes;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the settling of conditional writes through simulated schedules, each with a seed of its own.
 *
 * @see Schedules
 */
@BothLanes
class ConditionSimulationTests {

    @Test
    void tellsTheTruthUnderEverySchedule() throws Exception {
        Map<End, AtomicLong> ends = new EnumMap<>(End.class);
        for (End end : End.values()) {
            ends.put(end, new AtomicLong());
        }
        long schedules = Schedules.run(
                3,
                seed -> {
                    ConditionLedger ledger = new ConditionSchedule(seed, PlantedConditionBug.NOTHING, false).run();
                    ends.forEach((end, count) -> count.addAndGet(ledger.ends(end)));
                },
                ConditionSimulationTests::history);
        System.out.printf(
                "Conditional writes: %,d schedules from seed %d on, calls ended %s; no violation%n",
                schedules, Schedules.FIRST_SEED, ends);
        assertThat(ends.values()).allSatisfy(count -> assertThat(count).hasPositiveValue());
    }

    @ParameterizedTest
    @EnumSource(value = PlantedConditionBug.class, names = "NOTHING", mode = EnumSource.Mode.EXCLUDE)
    void noticesAPlantedBug(PlantedConditionBug plant) {
        Schedules.notice(plant, 1, seed -> new ConditionSchedule(seed, plant, false).run());
    }

    private static String history(long seed) {
        ConditionSchedule schedule = new ConditionSchedule(seed, PlantedConditionBug.NOTHING, true);
        return Schedules.history(seed, schedule::run, schedule::history);
    }
}
