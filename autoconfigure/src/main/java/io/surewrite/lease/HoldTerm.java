package io.surewrite.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Until when a hold lasts: as long as the table has confirmed, but no longer than the longest permitted hold. Changed
 * under the lock of the queue, read without.
 */
final class HoldTerm {

    private final LeaseTime time;
    private final @Nullable Duration maxHold;
    private long begunAt;
    private long confirmedUntil;
    private volatile long deadline;

    HoldTerm(LeaseParts parts, long confirmedUntil) {
        this.time = parts.time();
        this.maxHold = parts.settings().maxHold();
        this.begunAt = time.nanos();
        confirmedUntil(confirmedUntil);
    }

    /** Another hold goes on with what the table has confirmed. */
    void handOver() {
        begunAt = time.nanos();
        confirmedUntil(confirmedUntil);
    }

    void confirmedUntil(long confirmed) {
        confirmedUntil = confirmed;
        deadline = isCapped() ? cap() : confirmed;
    }

    /** Ends it at this time, if not before. */
    void notAfter(long until) {
        if (until - confirmedUntil < 0) {
            confirmedUntil(until);
        }
    }

    long begunAt() {
        return begunAt;
    }

    long confirmedUntil() {
        return confirmedUntil;
    }

    long remaining() {
        return deadline - time.nanos();
    }

    boolean isOver() {
        return remaining() <= 0;
    }

    /** Whether a renewal could not prolong it any more. */
    boolean isCapped() {
        return maxHold != null && cap() - confirmedUntil <= 0;
    }

    LossReason reason() {
        return isCapped() ? LossReason.MAX_HOLD : LossReason.EXPIRED;
    }

    private long cap() {
        return begunAt + (maxHold == null ? 0 : maxHold.toNanos());
    }
}
