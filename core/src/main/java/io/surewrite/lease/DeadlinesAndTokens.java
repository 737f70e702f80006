package io.surewrite.lease;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of the protocol. Every rule is one method, so that the simulation can break one at a time.
 */
class DeadlinesAndTokens {

    /** More than any clock runs fast. */
    static final int DRIFT_PARTS = 1000;

    final LeaseSettings settings;

    DeadlinesAndTokens(LeaseSettings settings) {
        this.settings = settings;
    }

    /** How long a holder may count on a ttl: the table counts in whole seconds, and the nodes' clocks differ. */
    long usable(Duration ttl) {
        return LeaseSettings.usable(ttl, settings.skewMargin()).toNanos();
    }

    /** How often in a row this process may pass a lease on to its own waiters. */
    int handOverLimit() {
        return 100;
    }

    /** An acquisition reserves a block of tokens: one for itself and one for every hand-over it may make. */
    long nextEpoch(long epoch) {
        return epoch + 1 + handOverLimit();
    }

    /** The first of the block that ends at this epoch. */
    long firstToken(long nextEpoch) {
        return nextEpoch - handOverLimit();
    }

    long tokenAfterHandOver(long token) {
        return token + 1;
    }

    boolean mayHandOver(int handOversSoFar) {
        return handOversSoFar < handOverLimit();
    }

    /**
     * How long a write that was confirmed lets the holder hold. The server's count began at some unknown time between
     * the first send and the answer, so only the first send is safe to count from.
     */
    long deadline(long sentAt, long answeredAt, Duration ttl) {
        return sentAt + usable(ttl);
    }

    /** A look that was sent before a caller came may show a holder that had let the name go by then. */
    boolean tells(long look, long joined) {
        return look > joined;
    }

    /** A renewal without a clear answer may not have happened. */
    long deadlineAfterUnclear(long deadline, long sentAt, Duration ttl) {
        return deadline;
    }

    /** The timestamps, in microseconds, that a hold may draw without a further renewal, end here. */
    long reserved(long from, Duration ttl) {
        return from + TimeUnit.NANOSECONDS.toMicros(usable(ttl));
    }

    /** The whole seconds that certainly cover a time: the first may be over at once, and the nodes' clocks differ. */
    Duration covering(Duration closedFor) {
        Duration covered = closedFor.plus(settings.skewMargin()).plusNanos(999_999_999);
        return Duration.ofSeconds(covered.toSeconds() + 1);
    }

    Duration written(Duration ttl, Duration closedFor) {
        if (closedFor.isZero()) {
            return ttl;
        }
        Duration covering = covering(closedFor);
        return covering.compareTo(ttl) > 0 ? covering : ttl;
    }

    /** How much longer the name of a lease stays closed after so many nanoseconds, whatever becomes of the lease. */
    Duration closedFor(@Nullable Duration holdAtLeast, long heldFor) {
        if (holdAtLeast == null) {
            return Duration.ZERO;
        }
        long left = holdAtLeast.plus(holdAtLeast.dividedBy(DRIFT_PARTS)).toNanos() - heldFor;
        return Duration.ofNanos(Math.max(0, left));
    }

    /** Held at least for a while, the next hold would begin its time anew. */
    boolean handsOver(LeaseRequest request) {
        return request.holdAtLeast() == null;
    }

    UUID idOfRenewal(UUID held, Supplier<UUID> fresh) {
        return fresh.get();
    }

    /** The pause between renewals: a third of the ttl, but so short that one failure cannot lose a short lease. */
    long renewEvery(Duration ttl) {
        // Duration.dividedBy is made of BigDecimal, and this runs before a caller is told that it has the lease.
        return Math.min(ttl.toNanos() / 3, usable(ttl) / 2);
    }
}
