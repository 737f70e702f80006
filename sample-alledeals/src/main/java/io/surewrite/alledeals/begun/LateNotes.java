package io.surewrite.alledeals.begun;

import io.surewrite.backlog.BacklogListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;

/**
 * Hears that the backlog has written something that waited for long. If that was a note, it lies in a bucket that nobody
 * looks at any more.
 */
@Component
class LateNotes implements BacklogListener {

    /** What waited less is still in a recent bucket when somebody looks. */
    private static final Duration LONG = TimeBuckets.LENGTH.dividedBy(2);

    private final AtomicBoolean any = new AtomicBoolean();

    @Override
    public void replayed(String operation, Duration waited) {
        if (waited.compareTo(LONG) > 0) {
            any.set(true);
        }
    }

    /** Whether there may be some since this was asked the last time. */
    boolean take() {
        return any.getAndSet(false);
    }
}
