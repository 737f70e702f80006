package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Schedules;
import io.surewrite.testsupport.BothLanes;
import io.surewrite.testsupport.LongLane;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulation of {@link UniqueSimulationTests} where calls wait for each other: each wants several values, some of which
 * another has claimed, and holds none of them while it waits.
 */
@BothLanes
class GivingWaySimulationTests {

    /** More than one value each; some rows have a claim of their own, or a set. */
    private static final List<SimShape> SHAPES =
            List.of(SimShape.ALL.get(1), SimShape.ALL.get(4), SimShape.ALL.get(5), SimShape.COLLECTING.get(1));

    /** Where it was noticed; the whole search takes a minute. */
    private static final Map<PlantedBug, Long> NOTICED = Map.of(PlantedBug.ONE_ID_FOR_ALL_CLAIMS, 62564L);

    private final AtomicLong successes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    @Test
    void keepsItsObligationsUnderEverySchedule() throws Exception {
        long schedules = Schedules.run(
                2,
                seed -> {
                    UniqueLedger ledger =
                            schedule(seed, PlantedBug.NOTHING, false).run();
                    successes.addAndGet(ledger.successes());
                    failures.addAndGet(ledger.failures());
                },
                seed -> {
                    UniqueSchedule again = schedule(seed, PlantedBug.NOTHING, true);
                    return Schedules.history(seed, again::run, again::history);
                });
        System.out.printf(
                "Unique values simulation of calls that wait for each other: %,d schedules from seed %d on, %,d successes,"
                        + " %,d failures; no violation%n",
                schedules, Schedules.FIRST_SEED, successes.get(), failures.get());
        assertThat(successes).hasPositiveValue();
        assertThat(failures).hasPositiveValue();
    }

    @ParameterizedTest
    @EnumSource(
            value = PlantedBug.class,
            names = {"WITHDRAWS_WHAT_IT_DID_NOT_CREATE", "ONE_ID_FOR_ALL_CLAIMS"})
    @LongLane
    void noticesAPlantedBug(PlantedBug bug) {
        Schedules.notice(
                bug,
                NOTICED.getOrDefault(bug, 1L),
                seed -> schedule(seed, bug, false).run());
    }

    private static UniqueSchedule schedule(long seed, PlantedBug bug, boolean recording) {
        return UniqueSchedule.crossed(seed, bug, SHAPES, recording);
    }
}
