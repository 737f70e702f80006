package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Schedules;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Read-modify-write under leases through simulated schedules, each with a seed of its own. */
class LeasedWriteScheduleTests {

    private final AtomicLong reported = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();

    @Test
    void losesNoWriteThatWasReportedDone() throws Exception {
        long schedules = Schedules.run(
                1,
                seed -> {
                    LeasedWriteSchedule schedule =
                            new LeasedWriteSchedule(seed, LeasedWriteSchedule.Plant.NOTHING, false);
                    schedule.run();
                    reported.addAndGet(schedule.reported());
                    unknown.addAndGet(schedule.unknown());
                },
                LeasedWriteScheduleTests::history);
        System.out.printf(
                "Writes under leases: %,d schedules, %,d writes done and in the row, %,d unknown%n",
                schedules, reported.get(), unknown.get());
        assertThat(reported).hasPositiveValue();
        assertThat(unknown).hasPositiveValue();
    }

    @ParameterizedTest
    @EnumSource(value = LeasedWriteSchedule.Plant.class, names = "NOTHING", mode = EnumSource.Mode.EXCLUDE)
    void noticesAPlantedBug(LeasedWriteSchedule.Plant plant) {
        Schedules.notice(plant, 1, seed -> new LeasedWriteSchedule(seed, plant, false).run());
    }

    private static String history(long seed) {
        LeasedWriteSchedule schedule = new LeasedWriteSchedule(seed, LeasedWriteSchedule.Plant.NOTHING, true);
        return Schedules.history(seed, schedule::run, schedule::history);
    }
}
