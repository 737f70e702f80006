package io.surewrite.unique.claims;

import io.surewrite.unique.UniqueSettings;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The rules of the protocol that are easy to get wrong. Each is one method, so that the simulation can break one at a
 * time, by the bug that the method names, and show that it notices.
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

    /**
     * What is acknowledged at the deadline or later does not count.
     *
     * <p>The planted bug is {@code NO_DEADLINE}.
     */
    boolean isLate(long now, long deadline) {
        return now - deadline >= 0;
    }

    /** Whether a timestamp, in microseconds, was drawn so long ago that its row could not be written in time any more. */
    boolean isOld(long timestamp, long now) {
        return now - timestamp >= TimeUnit.NANOSECONDS.toMicros(usable.toNanos());
    }

    /**
     * A claim that is made again gets a new id, so that late statements on the old one come to nothing.
     *
     * <p>The planted bug is {@code OLD_ID_WHEN_CLAIMED_AGAIN}.
     */
    UUID idForClaimingAgain(UUID old, Supplier<UUID> ids) {
        return ids.get();
    }

    /**
     * A claim's timestamp never falls while its owner stays.
     *
     * <p>The planted bug is {@code CLAIMED_AGAIN_BELOW_THE_SEEN_TIMESTAMP}.
     */
    boolean mustRiseAbove(long seen, long timestamp) {
        return seen >= timestamp;
    }

    /**
     * A claim that existed before this call, or whose row may come late, stays until its lease is over.
     *
     * <p>The planted bug is {@code ABANDONS_WHAT_IT_DID_NOT_CREATE}.
     */
    boolean mayAbandon(boolean createdByThisCall, boolean rowSent) {
        return createdByThisCall && !rowSent;
    }

    /**
     * A call that waits gives back only what it may abandon: the row may have any other value, and no write of the row may
     * be on its way.
     *
     * <p>The planted bug is {@code GIVES_BACK_WHAT_THE_ROW_HAS}.
     */
    boolean mayGiveBack(boolean createdByThisCall, boolean rowSent) {
        return mayAbandon(createdByThisCall, rowSent);
    }

    /**
     * What is claimed again after it was given back has a new id: the statement that gave it back may come late.
     *
     * <p>The planted bug is {@code OLD_ID_AFTER_GIVING_BACK}.
     */
    UUID idAfterGivingBack(UUID old, Supplier<UUID> ids) {
        return ids.get();
    }

    /**
     * A claim is marked and its owner's row read once more before the fence.
     *
     * <p>The planted bug is {@code NO_MARK_AND_NO_NOTE_BEFORE_THE_FENCE}.
     */
    boolean marksBeforeFence() {
        return true;
    }

    /**
     * Before it writes, a save of unchanged values looks whether they are contested.
     *
     * <p>The planted bug is {@code NO_LOOK_AT_THE_CLAIM}.
     */
    boolean looksAtClaims() {
        return true;
    }

    /**
     * A claim that is not as old as the row's value may be that of a writer who has not sent the row, and gives the claim up
     * again: where the row had none before, as it was there before the constraint.
     *
     * <p>The planted bug is {@code TRUSTS_A_CLAIM_THAT_MAY_GO}.
     *
     * @param claimed the timestamp of the claim
     * @param written when the newest part of the value was written
     */
    boolean stays(long claimed, long written) {
        return claimed == written;
    }

    /**
     * It also looks whether another process is about to fence a value that the row was to get by another write.
     *
     * <p>The planted bug is {@code NO_LOOK_AT_THE_ROW}.
     */
    boolean looksAtTheRow() {
        return true;
    }

    /**
     * A takeover fences off what the former owner sent.
     *
     * <p>The planted bug is {@code NO_FENCE}.
     */
    boolean fences() {
        return true;
    }

    /**
     * A row that is not there is claimed, and read once more, before it is deleted for a fence.
     *
     * <p>The planted bug is {@code DELETION_WITHOUT_A_NOTE}.
     */
    boolean notesDeletions() {
        return true;
    }

    /**
     * Nothing that the former owner sent under its claim is newer than this; on a tie a deletion wins.
     *
     * <p>The planted bug is {@code FENCE_ONE_TICK_EARLY}.
     */
    long fenceOf(long claimedTimestamp) {
        return claimedTimestamp;
    }

    /**
     * The values of a row are claimed again for it before it is restored.
     *
     * <p>The planted bug is {@code RESTORED_WITHOUT_CLAIMING_AGAIN}.
     */
    boolean protectsRestoredValues() {
        return true;
    }

    /**
     * What was written over nothing may have been dead on arrival, by a deletion with a later timestamp.
     *
     * <p>The planted bug is {@code NO_READ_BACK}.
     */
    boolean readsBack() {
        return true;
    }

    /**
     * A change succeeded only if the old value's claim was not claimed again above it.
     *
     * <p>The planted bug is {@code SUCCESS_BEFORE_THE_RELEASE}.
     */
    boolean heedsOvertakenRelease() {
        return true;
    }

    /**
     * A writer that writes over a row claims the row too, or two could write it with one timestamp, and it would mix them.
     *
     * <p>The planted bug is {@code NO_CLAIM_OF_THE_ROW}.
     */
    boolean claimsRows() {
        return true;
    }

    /**
     * Two calls that insert the same primary key have the same owner; only the origin tells them apart.
     *
     * <p>The planted bug is {@code NO_ORIGIN}.
     */
    boolean comparesOrigins() {
        return true;
    }
}
