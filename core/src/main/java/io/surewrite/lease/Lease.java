package io.surewrite.lease;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One hold of a name, from its acquisition to its release or loss. Renews itself in the background. Safe for use by
 * several threads.
 *
 * <p>While {@link #isHeld()} returns true, no other lease of this name does, as long as the clocks of the Cassandra
 * nodes differ by less than the configured margin. A process that is paused right after the question can still act too
 * late: guard what it writes with the {@link #token()}.
 */
public interface Lease extends AutoCloseable {

    /** {@return the name} */
    String name();

    /** {@return the fencing token: strictly greater than that of every earlier hold of this name, by whatever process} */
    long token();

    /**
     * {@return a number for one write under this lease: greater than those of all earlier writes under it, and of all
     * writes under earlier holds of the name} As the condition {@code IF fence < ?} or as the timestamp of a write it
     * makes sure that a holder that was paused and wakes up changes nothing. It has room for a million writes a hold.
     */
    long nextFence();

    /** {@return who holds the lease, for people to read: the name of this process} */
    String holder();

    /** {@return whether the lease is certainly held now, by the local monotonic clock alone} Once false, false for ever. */
    boolean isHeld();

    /** {@return how long the lease lasts without a further renewal; zero when it is not held} */
    Duration remaining();

    /**
     * Renews now, beside the automatic renewals, and joins one that is under way.
     *
     * @return whether the table confirmed it; if not, the lease may still be held for what {@link #remaining()} says
     */
    boolean renew();

    /** {@return {@link #renew()} without waiting for the answer} */
    CompletionStage<Boolean> renewAsync();

    /**
     * Gives the lease up. {@link #isHeld()} is false before anything is sent. Calling it again repeats the first answer.
     *
     * @return what became of it; never throws for a failure of the cluster
     */
    ReleaseOutcome release();

    /** {@return {@link #release()} without waiting for the answer} */
    CompletionStage<ReleaseOutcome> releaseAsync();

    /**
     * Does something under this lease on the calling thread: sure writes that begin in it are made under this lease, and
     * {@link LeaseAssert} knows it. Needed for leases that were asked for asynchronously; the others belong to the thread that
     * asked for them, until their release.
     *
     * @param work what to do; asynchronous writes that it begins may end later
     * @throws IllegalStateException inside a sure write that began without this lease: it would not be made under it
     */
    <T extends @Nullable Object> T call(Supplier<T> work);

    /**
     * Registers an action for the loss of this lease. It runs once, on a thread of its own; at once if the lease is lost
     * already; never after a release.
     */
    void onLost(Consumer<LossReason> action);

    /** Releases, whatever the outcome. */
    @Override
    default void close() {
        release();
    }

    /** Why a lease ended before it was released. */
    enum LossReason {

        /** The table does not show the lease any more: it ran out there, or was removed. */
        GONE,

        /** No renewal was confirmed in time, so the lease may have run out: the cluster or this process was too slow. */
        EXPIRED,

        /** The longest permitted hold is over. */
        MAX_HOLD,

        /** The {@link LeaseLocks} that it came from were closed, as at the end of an application. */
        CLOSED
    }

    /** What became of a release. In every case the lease is not held any more. */
    enum ReleaseOutcome {

        /** The lease was held to the end and is free now, or went straight to the next waiter of this process. */
        RELEASED,

        /** The lease was lost before the release could take effect. Others may have held the name since. */
        NOT_HELD,

        /** The cluster gave no clear answer. The name is free no later than when the lease runs out by itself. */
        UNKNOWN
    }
}
