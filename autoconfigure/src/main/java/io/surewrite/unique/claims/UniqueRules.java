package io.surewrite.unique.claims;

import io.surewrite.unique.UniqueSettings;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The rules of the protocol that are easy to get wrong. Each is one method, so that the simulation can break one at a
 * time and show that it notices.
 */
class UniqueRules {

    private final Duration usable;

    UniqueRules(UniqueSettings settings) {
        this.usable = settings.lease().minusSeconds(1).minus(settings.skewMargin());
    }

    /** Until when the row must be written and acknowledged; the lease began at the first send, or later. */
    long deadline(long pinnedAt) {
        return pinnedAt + usable.toNanos();
    }

    boolean isLate(long now, long deadline) {
        return now - deadline >= 0;
    }

    /** Whether a timestamp, in microseconds, was drawn so long ago that its row could not be written in time any more. */
    boolean isOld(long timestamp, long now) {
        return now - timestamp >= TimeUnit.NANOSECONDS.toMicros(usable.toNanos());
    }

    /** A claim that is made again gets a new id, so that late statements on the old one come to nothing. */
    UUID idForClaimingAgain(UUID old, Supplier<UUID> ids) {
        return ids.get();
    }

    /** A claim's timestamp never falls while its owner stays. */
    boolean mustRiseAbove(long seen, long timestamp) {
        return seen >= timestamp;
    }

    /** A claim that existed before this call, or whose row may come late, stays until its lease is over. */
    boolean mayAbandon(boolean createdByThisCall, boolean rowSent) {
        return createdByThisCall && !rowSent;
    }

    /** A claim is marked and its owner's row read once more before the fence. */
    boolean marksBeforeFence() {
        return true;
    }

    /** Before it writes, a save of unchanged values looks whether they are contested. */
    boolean looksAtClaims() {
        return true;
    }

    /** It also looks whether another process is about to fence a value that the row was to get by another write. */
    boolean looksAtTheRow() {
        return true;
    }

    boolean fences() {
        return true;
    }

    /** A row that is not there is claimed, and read once more, before it is deleted for a fence. */
    boolean notesDeletions() {
        return true;
    }

    /** Nothing that the former owner sent under its claim is newer than this; on a tie a deletion wins. */
    long fenceOf(long claimedTimestamp) {
        return claimedTimestamp;
    }

    /** The values of a row are claimed again for it before it is restored. */
    boolean protectsRestoredValues() {
        return true;
    }

    /** What was written over nothing may have been dead on arrival, by a deletion with a later timestamp. */
    boolean readsBack() {
        return true;
    }

    /** A change succeeded only if the old value's claim was not claimed again above it. */
    boolean heedsOvertakenRelease() {
        return true;
    }

    /** A writer that writes over a row claims the row too, or two could write it with one timestamp, and it would mix them. */
    boolean claimsRows() {
        return true;
    }

    /** Two calls that insert the same primary key have the same owner; only the origin tells them apart. */
    boolean comparesOrigins() {
        return true;
    }
}
