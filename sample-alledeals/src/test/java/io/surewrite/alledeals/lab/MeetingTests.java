package io.surewrite.alledeals.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two sides wait for each other, and never for one that is gone. */
@Timeout(30)
class MeetingTests {

    private final Meeting meeting = new Meeting();

    @Test
    void doesOnceWhatIsDoneForBothBeforeEitherGoesOn() {
        AtomicInteger done = new AtomicInteger();
        Callable<Integer> side = () -> {
            meeting.await(1, done::incrementAndGet);
            int seen = done.get();
            meeting.await(2, done::incrementAndGet);
            return seen;
        };

        List<Integer> seen = Run.together(List.of(side, side));

        assertThat(done).hasValue(2);
        assertThat(seen).containsOnly(1);
    }

    @Test
    void waitsForNobodyWhoHasLeft() {
        AtomicInteger done = new AtomicInteger();
        Run.together(List.<Callable<Boolean>>of(
                () -> {
                    meeting.leave();
                    return true;
                },
                () -> {
                    meeting.await(1, done::incrementAndGet);
                    meeting.await();
                    return true;
                }));
        assertThat(done).hasValue(1);
    }
}
