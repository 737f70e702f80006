package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.surewrite.simulation.ClockFault;
import io.surewrite.simulation.Schedules;
import io.surewrite.testsupport.BothLanes;
import io.surewrite.testsupport.LongLane;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the real guard through simulated schedules, each with a seed of its own.
 *
 * @see Schedules
 */
@BothLanes
class UniqueSimulationTests {

    /** Where those bugs were noticed that only one schedule in thousands shows. */
    private static final Map<PlantedBug, Long> RARE =
            Map.of(PlantedBug.FENCE_AFTER_THE_READ, 24_048L, PlantedBug.RESTORED_WITHOUT_PROTECTION, 2_245L);

    /** More than one value each; some rows have a claim of their own, or a set. */
    private static final List<SimShape> CROSSED_SHAPES =
            List.of(SimShape.ALL.get(1), SimShape.ALL.get(4), SimShape.ALL.get(5), SimShape.COLLECTING.get(1));

    private final AtomicLong successes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong unknowns = new AtomicLong();

    /** What is simulated, and for how many seconds. */
    private enum Kind {
        ROWS(3),

        /** Rows with a set, each element of which is a cell of its own: a union of two writes is a value that nobody has written. */
        ROWS_WITH_SETS(2),

        /** A row was there before its constraint, without a claim: from its first save on its values are its own. */
        ROWS_WITHOUT_CLAIMS(1),

        /** Calls want several values each, and wait for each other. */
        CALLS_THAT_WAIT(2);

        private final int seconds;

        Kind(int seconds) {
            this.seconds = seconds;
        }

        /** One schedule in five is a story. */
        UniqueRun of(long seed, PlantedBug bug, boolean recording) {
            return switch (this) {
                case ROWS_WITHOUT_CLAIMS -> UniqueStory.beforeTheBuild(seed, bug, recording);
                case CALLS_THAT_WAIT ->
                    new UniqueSchedule(seed, bug, ClockFault.NONE, CROSSED_SHAPES, Focus.CROSSED, recording);
                default -> seed % 5 == 0 ? story(seed, bug, recording) : schedule(seed, bug, recording);
            };
        }

        UniqueRun story(long seed, PlantedBug bug, boolean recording) {
            return new UniqueStory(seed, bug, shapes(), recording);
        }

        UniqueRun schedule(long seed, PlantedBug bug, boolean recording) {
            return new UniqueSchedule(seed, bug, ClockFault.NONE, shapes(), null, recording);
        }

        private List<SimShape> shapes() {
            return this == ROWS_WITH_SETS ? SimShape.COLLECTING : SimShape.ALL;
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsItsObligationsUnderEverySchedule(Kind kind) throws Exception {
        long schedules = Schedules.run(
                kind.seconds,
                seed -> count(kind.of(seed, PlantedBug.NOTHING, false)),
                seed -> history(seed, kind.of(seed, PlantedBug.NOTHING, true)));
        System.out.printf(
                "Unique values simulation, %s: %,d schedules from seed %d on, %,d successes, %,d failures, %,d unknown; no violation%n",
                kind, schedules, Schedules.FIRST_SEED, successes.get(), failures.get(), unknowns.get());
        assertThat(successes).hasPositiveValue();
        assertThat(failures).hasPositiveValue();
    }

    private UniqueLedger count(UniqueRun run) {
        UniqueLedger ledger = run.run();
        successes.addAndGet(ledger.successes());
        failures.addAndGet(ledger.failures());
        unknowns.addAndGet(ledger.unknowns());
        return ledger;
    }

    /** Neither a client's clock that jumps, nor a node's for operations that began once that was measured. */
    @ParameterizedTest
    @EnumSource(
            value = ClockFault.class,
            names = {"OF_A_PROCESS", "OF_A_NODE"})
    void keepsItsObligationsWhenAClockJumpsByTenMinutes(ClockFault fault) throws Exception {
        AtomicLong excused = new AtomicLong();
        long schedules = Schedules.run(
                1,
                seed -> excused.addAndGet(
                        count(jumping(seed, PlantedBug.NOTHING, fault, false)).excused()),
                seed -> history(seed, jumping(seed, PlantedBug.NOTHING, fault, true)));
        System.out.printf(
                "Unique values simulation, clock %s: %,d schedules, %,d successes, %,d failures; %,d violations before the"
                        + " first measurement that shows it, none after%n",
                fault, schedules, successes.get(), failures.get(), excused.get());
        assertThat(successes).hasPositiveValue();
        if (!fault.isOfANode()) {
            assertThat(excused).hasValue(0);
        }
    }

    private static UniqueRun jumping(long seed, PlantedBug bug, ClockFault fault, boolean recording) {
        return new UniqueSchedule(seed, bug, fault, SimShape.ALL, null, recording);
    }

    /** Either would do alone: what is measured of the nodes' clocks, or the own clock of whoever takes a claim over. */
    @ParameterizedTest
    @CsvSource({
        "OF_A_NODE_UNHEEDED, KILLS_AHEAD_OF_THE_CLOCK, 2985",
        "OF_A_PROCESS, KILLS_AHEAD_OF_THE_CLOCK, 8803",
        "OF_A_PROCESS, WAITS_FOR_ITS_OWN_TIMESTAMPS, 90951"
    })
    void noticesThatATakeoverKillsAheadOfTheClock(ClockFault fault, PlantedBug bug, long seen) {
        Schedules.notice(bug, seen, seed -> jumping(seed, bug, fault, false).run());
    }

    @ParameterizedTest
    @EnumSource(
            value = PlantedBug.class,
            names = {"NOTHING", "ONE_ID_FOR_ALL_CLAIMS", "KILLS_AHEAD_OF_THE_CLOCK", "WAITS_FOR_ITS_OWN_TIMESTAMPS"},
            mode = EXCLUDE)
    void noticesAPlantedBug(PlantedBug bug) {
        Kind kind = bug == PlantedBug.RESTORED_ON_TOP_OF_A_SET ? Kind.ROWS_WITH_SETS : Kind.ROWS;
        Schedules.notice(bug, RARE.getOrDefault(bug, 1L), seed -> {
            kind.story(seed, bug, false).run();
            kind.schedule(seed, bug, false).run();
        });
    }

    /** The whole search for it takes a minute. */
    @LongLane
    @Test
    void noticesThatOneIdIsThatOfAllClaims() {
        PlantedBug bug = PlantedBug.ONE_ID_FOR_ALL_CLAIMS;
        Schedules.notice(
                bug, 62_564, seed -> Kind.CALLS_THAT_WAIT.of(seed, bug, false).run());
    }

    private static String history(long seed, UniqueRun run) {
        return Schedules.history(seed, run::run, run::history);
    }
}
