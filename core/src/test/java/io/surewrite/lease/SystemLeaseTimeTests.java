package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemLeaseTimeTests {

    private static final long LATEST = 200_000_000;

    private final SystemLeaseTime time = new SystemLeaseTime();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void runsEachTaskInItsTimeHoweverFarAwayThatIs() throws InterruptedException {
        Map<Integer, Long> late = lateness();
        // A busy machine may be late in one round.
        for (int more = 9; more > 0 && late.values().stream().anyMatch(nanos -> nanos > LATEST); more--) {
            late = lateness();
        }

        assertThat(late).allSatisfy((millis, nanos) -> assertThat(nanos).isLessThanOrEqualTo(LATEST));
    }

    private Map<Integer, Long> lateness() throws InterruptedException {
        Map<Integer, Long> late = new ConcurrentHashMap<>();
        int[] delays = {0, 300, 499, 501, 600, 749, 751, 900, 1_300};
        CountDownLatch done = new CountDownLatch(delays.length);
        for (int millis : delays) {
            long due = System.nanoTime() + Duration.ofMillis(millis).toNanos();
            time.after(Duration.ofMillis(millis).toNanos(), () -> {
                late.put(millis, System.nanoTime() - due);
                done.countDown();
            });
        }
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(late)
                .hasSize(delays.length)
                .allSatisfy((millis, nanos) -> assertThat(nanos).isNotNegative());
        return late;
    }

    @Test
    void runsNothingThatIsCalledOff() throws InterruptedException {
        Map<Integer, Boolean> run = new ConcurrentHashMap<>();
        for (int millis : new int[] {100, 800, 1_000}) {
            LeaseTime.Timer timer = time.after(Duration.ofMillis(millis).toNanos(), () -> run.put(millis, true));
            timer.cancel();
        }
        Thread.sleep(1_200);

        assertThat(run).isEmpty();
    }
}
