package io.surewrite.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WakefulClockTests {

    private final AtomicLong monotonic = new AtomicLong(5);
    private final AtomicLong wallMillis = new AtomicLong(1_000_000);
    private final WakefulClock clock = new WakefulClock(monotonic::get, wallMillis::get);
    private final long start = clock.nanos();

    @Test
    void countsTheTimeTheMachineSlept() {
        pass(1_000, 61_000);
        assertThat(elapsedMillis()).isEqualTo(61_000);
        pass(1_000, 1_000);
        assertThat(elapsedMillis()).isEqualTo(62_000);
    }

    @Test
    void neverGoesBackWithTheWallClock() {
        pass(1_000, 61_000);
        pass(1_000, -60_000);
        assertThat(elapsedMillis()).isEqualTo(62_000);
        pass(1_000, 1_000);
        assertThat(elapsedMillis()).isEqualTo(63_000);
    }

    /** One thread has read the wall clock before a sleep, and goes on when another has counted it. */
    @Test
    void countsASleepOnceWhoeverSeesIt() {
        AtomicBoolean asleep = new AtomicBoolean();
        AtomicReference<WakefulClock> shared = new AtomicReference<>();
        shared.set(new WakefulClock(monotonic::get, () -> {
            long before = wallMillis.get();
            if (asleep.compareAndSet(true, false)) {
                wallMillis.addAndGet(60_000);
                shared.get().nanos();
            }
            return before;
        }));
        long begin = shared.get().nanos();
        asleep.set(true);
        shared.get().nanos();
        assertThat(TimeUnit.NANOSECONDS.toMillis(shared.get().nanos() - begin)).isEqualTo(60_000);
    }

    private void pass(long monotonicMillis, long wall) {
        monotonic.addAndGet(TimeUnit.MILLISECONDS.toNanos(monotonicMillis));
        wallMillis.addAndGet(wall);
        clock.nanos();
    }

    private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanos() - start);
    }
}
