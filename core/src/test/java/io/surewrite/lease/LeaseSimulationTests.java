package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.ClockFault;
import io.surewrite.simulation.Schedules;
import io.surewrite.testsupport.BothLanes;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the real lease code through simulated schedules, each with a seed of its own.
 *
 * @see Schedules
 */
@BothLanes
class LeaseSimulationTests {

    private final AtomicLong holds = new AtomicLong();
    private final AtomicLong handOvers = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();

    @Test
    void keepsItsObligationsUnderEverySchedule() throws Exception {
        long schedules = Schedules.run(
                4,
                seed -> {
                    LeaseSchedule schedule = new LeaseSchedule(seed, PlantedLeaseBug.NOTHING, ClockFault.NONE, false);
                    LeaseLedger ledger = schedule.run();
                    holds.addAndGet(ledger.grants());
                    handOvers.addAndGet(ledger.handOvers());
                    written.addAndGet(schedule.row.reported());
                    unknown.addAndGet(schedule.row.unknown());
                },
                seed -> history(seed, ClockFault.NONE));
        System.out.printf(
                "Lease simulation: %,d schedules from seed %d on, %,d holds, %,d of them handed over; %,d writes done and in the"
                        + " row, %,d unknown; no violation%n",
                schedules, Schedules.FIRST_SEED, holds.get(), handOvers.get(), written.get(), unknown.get());
        assertThat(handOvers).hasPositiveValue();
        assertThat(written).hasPositiveValue();
        assertThat(unknown).hasPositiveValue();
    }

    /** Neither a client's clock that jumps, nor a node's for holds that were asked for once that was measured. */
    @ParameterizedTest
    @EnumSource(
            value = ClockFault.class,
            names = {"OF_A_PROCESS", "OF_A_NODE"})
    void keepsItsObligationsWhenAClockJumpsByTenMinutes(ClockFault fault) throws Exception {
        AtomicLong excused = new AtomicLong();
        long schedules = Schedules.run(
                1,
                seed -> {
                    LeaseLedger ledger = new LeaseSchedule(seed, PlantedLeaseBug.NOTHING, fault, false).run();
                    holds.addAndGet(ledger.grants());
                    excused.addAndGet(ledger.excused());
                },
                seed -> history(seed, fault));
        System.out.printf(
                "Lease simulation, clock %s: %,d schedules, %,d holds; %,d violations before the first measurement that shows"
                        + " it, none after%n",
                fault, schedules, holds.get(), excused.get());
        assertThat(holds).hasPositiveValue();
        if (!fault.isOfANode()) {
            assertThat(excused).hasValue(0);
        }
    }

    @Test
    void noticesThatNobodyHeedsTheClocks() {
        Schedules.notice(
                ClockFault.OF_A_NODE_UNHEEDED,
                1,
                seed -> new LeaseSchedule(seed, PlantedLeaseBug.NOTHING, ClockFault.OF_A_NODE_UNHEEDED, false).run());
    }

    @ParameterizedTest
    @EnumSource(value = PlantedLeaseBug.class, names = "NOTHING", mode = EnumSource.Mode.EXCLUDE)
    void noticesAPlantedBug(PlantedLeaseBug plant) {
        Schedules.notice(plant, 1, seed -> new LeaseSchedule(seed, plant, ClockFault.NONE, false).run());
    }

    private static String history(long seed, ClockFault fault) {
        LeaseSchedule schedule = new LeaseSchedule(seed, PlantedLeaseBug.NOTHING, fault, true);
        return Schedules.history(seed, schedule::run, schedule::history);
    }
}
