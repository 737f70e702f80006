package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.ClockFault;
import io.surewrite.simulation.Schedules;
import io.surewrite.simulation.Steps;
import io.surewrite.testsupport.BothLanes;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
            Map.of(PlantedBug.FENCE_AFTER_THE_READ, 8302L, PlantedBug.RESTORED_WITHOUT_PROTECTION, 2245L);

    private final AtomicLong successes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong unknowns = new AtomicLong();

    @Test
    void keepsItsObligationsUnderEverySchedule() throws Exception {
        long schedules = Schedules.run(
                3,
                seed -> {
                    UniqueLedger ledger = run(seed, PlantedBug.NOTHING);
                    successes.addAndGet(ledger.successes());
                    failures.addAndGet(ledger.failures());
                    unknowns.addAndGet(ledger.unknowns());
                },
                seed -> history(seed, PlantedBug.NOTHING));
        System.out.printf(
                "Unique values simulation: %,d schedules from seed %d on, %,d successes, %,d failures, %,d unknown; no violation%n",
                schedules, Schedules.FIRST_SEED, successes.get(), failures.get(), unknowns.get());
        if (Steps.COUNTED != null) {
            System.out.println(Steps.COUNTED);
        }
        assertThat(successes).hasPositiveValue();
        assertThat(failures).hasPositiveValue();
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
                seed -> {
                    UniqueLedger ledger = new UniqueSchedule(seed, PlantedBug.NOTHING, fault, false).run();
                    successes.addAndGet(ledger.successes());
                    failures.addAndGet(ledger.failures());
                    excused.addAndGet(ledger.excused());
                },
                seed -> history(seed, fault));
        System.out.printf(
                "Unique values simulation, clock %s: %,d schedules, %,d successes, %,d failures; %,d violations before the"
                        + " first measurement that shows it, none after%n",
                fault, schedules, successes.get(), failures.get(), excused.get());
        assertThat(successes).hasPositiveValue();
        if (!fault.isOfANode()) {
            assertThat(excused).hasValue(0);
        }
    }

    /** Either would do alone: what is measured of the nodes' clocks, or the own clock of whoever takes a claim over. */
    @Test
    void noticesThatNobodyHeedsAnyClock() {
        PlantedBug bug = PlantedBug.KILLS_AHEAD_OF_THE_CLOCK;
        Schedules.notice(
                ClockFault.OF_A_NODE_UNHEEDED,
                1716,
                seed -> new UniqueSchedule(seed, bug, ClockFault.OF_A_NODE_UNHEEDED, false).run());
    }

    @Test
    void noticesThatATakeoverKillsAheadOfTheClock() {
        PlantedBug bug = PlantedBug.KILLS_AHEAD_OF_THE_CLOCK;
        Schedules.notice(bug, 11_747, seed -> new UniqueSchedule(seed, bug, ClockFault.OF_A_PROCESS, false).run());
    }

    private static String history(long seed, ClockFault fault) {
        UniqueSchedule schedule = new UniqueSchedule(seed, PlantedBug.NOTHING, fault, true);
        return Schedules.history(seed, schedule::run, schedule::history);
    }

    @ParameterizedTest
    @EnumSource(
            value = PlantedBug.class,
            names = {"NOTHING", "RESTORED_ON_TOP_OF_A_SET", "ONE_ID_FOR_ALL_CLAIMS", "KILLS_AHEAD_OF_THE_CLOCK"},
            mode = EnumSource.Mode.EXCLUDE)
    void noticesAPlantedBug(PlantedBug bug) {
        Schedules.notice(bug, RARE.getOrDefault(bug, 1L), seed -> {
            new UniqueStory(seed, bug, false).run();
            new UniqueSchedule(seed, bug, false).run();
        });
    }

    @Test
    void repeatsAFailureFromItsSeed() {
        long seed = LongStream.range(0, 100_000)
                .filter(candidate -> history(candidate, PlantedBug.NO_KILL).contains("1: "))
                .findFirst()
                .orElseThrow();
        String once = history(seed, PlantedBug.NO_KILL);
        assertThat(once).contains("BEGINS").contains("create");
        assertThat(history(seed, PlantedBug.NO_KILL)).isEqualTo(once);
    }

    /** One schedule in five is a story. */
    private static boolean isStory(long seed) {
        return seed % 5 == 0;
    }

    private static UniqueLedger run(long seed, PlantedBug bug) {
        return isStory(seed) ? new UniqueStory(seed, bug, false).run() : new UniqueSchedule(seed, bug, false).run();
    }

    private static String history(long seed, PlantedBug bug) {
        if (isStory(seed)) {
            UniqueStory story = new UniqueStory(seed, bug, true);
            return Schedules.history(seed, story::run, story::history);
        }
        UniqueSchedule schedule = new UniqueSchedule(seed, bug, true);
        return Schedules.history(seed, schedule::run, schedule::history);
    }
}
