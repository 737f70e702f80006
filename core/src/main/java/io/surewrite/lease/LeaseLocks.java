package io.surewrite.lease;

import io.surewrite.lease.Lease.LossReason;
import io.surewrite.write.Internal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquires leases: locks in a Cassandra table that one holder at a time has, that are renewed while they are held, that
 * run out by themselves when their holder dies, and that say when they are lost.
 *
 * <p>As long as clocks differ by less than {@code surewrite.clock.margin}, two holders of a name never both see
 * {@link Lease#isHeld()}, and a holder that dies blocks its name no longer than one second more than the ttl after its last
 * write applied. The fencing tokens of a name strictly increase from hold to hold, always: guard writes with them, as a
 * lease alone does not stop a holder that was paused right after it looked.
 *
 * <p>A lease belongs to the thread that asked and waited for it, until its release: sure writes that begin on this thread
 * draw their timestamps under it, and are made, and reported done, only while it is held. For leases that were asked for
 * asynchronously {@link Lease#call} says so. Inside a sure write no lease can be acquired.
 *
 * <p>"Held by another" means that a holder was seen: in the table, while the caller waited, or in this process. The callers of
 * one process queue up, and a released lease goes straight to the next one with the same request. A call returns at the latest
 * its wait plus {@code surewrite.conditional.attempt-timeout}; a free name is acquired however short the wait is.
 *
 * <p>All methods throw {@link IllegalArgumentException} for a bad name or ttl, {@link LeaseUnavailableException} when the
 * cluster gives no clear answer (then the caller holds nothing), {@link io.surewrite.write.ClockOffsetException} while
 * clocks are known to be further apart than the margin (then nothing was sent), {@link IllegalStateException} after shutdown,
 * and {@link InterruptedException} if the caller was interrupted while it waited (it holds nothing then).
 */
public interface LeaseLocks {

    /**
     * Acquires a lease if no other holds the name. Does not queue behind other callers of this process, but gets the
     * answer that they wait for.
     *
     * @return the lease, or empty if another holds the name
     */
    Optional<Lease> tryAcquire(LeaseRequest request);

    /** {@link #tryAcquire(LeaseRequest)} with the defaults. */
    default Optional<Lease> tryAcquire(String name) {
        return tryAcquire(LeaseRequest.of(name));
    }

    /**
     * Acquires a lease, waiting while others hold the name.
     *
     * @return the lease, or empty if another still held it when it was last looked at
     */
    Optional<Lease> tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException;

    /**
     * Acquires a lease, waiting while others hold the name.
     *
     * @throws LeaseNotAcquiredException if another still held it when it was last looked at
     * @throws IllegalStateException if this thread does work under a lease of that name, by {@code callUnder},
     *     {@code @WithLease} or {@link Lease#call}: a lease is not reentrant
     */
    Lease acquire(LeaseRequest request, Duration wait) throws InterruptedException;

    /** {@link #acquire(LeaseRequest, Duration)} with the defaults. */
    default Lease acquire(String name, Duration wait) throws InterruptedException {
        return acquire(LeaseRequest.of(name), wait);
    }

    /** {@link #tryAcquire(LeaseRequest)} without waiting for the cluster. */
    default CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseRequest request) {
        return tryAcquireAsync(request, Duration.ZERO);
    }

    /** {@link #tryAcquire(LeaseRequest, Duration)} without blocking. */
    CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseRequest request, Duration wait);

    /**
     * Acquires leases on several names, or none. They are acquired one after the other in the order of their names, the
     * same in every process, so that two callers never wait for each other.
     *
     * @param names the names; a name that occurs twice counts once
     * @param wait how long to wait at most, for all together; each name may take one attempt more
     * @return the leases, all of them held, or empty if one of them was not to be had in time
     * @throws IllegalArgumentException if there is no name
     */
    Optional<Leases> tryAcquireAll(Collection<String> names, Duration wait) throws InterruptedException;

    /**
     * Works under a lease and releases it afterwards. {@link LeaseAssert} knows the lease meanwhile.
     *
     * @param wait how long to wait for it at most
     * @param onLoss what to do if the lease is lost before the work is done
     * @return what the work returns
     * @throws X if the work fails
     * @throws LeaseNotAcquiredException as {@link #acquire(LeaseRequest, Duration)} does, which also refuses a lease of this thread
     * @throws LeaseLostException if the lease was lost and the work interrupted for it
     */
    <T extends @Nullable Object, X extends Exception> T callUnder(
            LeaseRequest request, Duration wait, OnLoss onLoss, LeaseWork<T, X> work) throws X, InterruptedException;

    /**
     * Works under a lease without blocking, and releases it when what the work returns is done. Sure writes that the work
     * begins before it returns are made under the lease. If it is lost meanwhile, the work goes on; what it writes surely
     * then ends with an {@link io.surewrite.write.UnknownOutcomeException}, or is not begun.
     *
     * @param wait how long to wait for it at most
     * @param work begins the work, on a thread of the leases; whatever it does in later stages belongs into {@link Lease#call}
     * @return becomes what the work returns; or fails as {@link #callUnder} does, before the work
     */
    default <T extends @Nullable Object> CompletionStage<T> callUnderAsync(
            LeaseRequest request, Duration wait, Function<Lease, CompletionStage<T>> work) {
        return tryAcquireAsync(request, wait).thenCompose(acquired -> {
            Lease lease = acquired.orElseThrow(() -> new LeaseNotAcquiredException(request.name(), wait, null));
            CompletionStage<T> stage =
                    CompletableFuture.completedFuture(lease).thenCompose(held -> held.call(() -> work.apply(held)));
            return stage.handle((value, failure) -> lease.releaseAsync().handle((outcome, ignored) -> stage))
                    .thenCompose(released -> released)
                    .thenCompose(done -> done);
        });
    }

    /** {@return what the table shows of a name, for people who look, or empty if it was never held} */
    Optional<LeaseInfo> inspect(String name);

    /** {@return the leases that this process holds now} */
    List<Lease> held();

    /** {@return since when the cluster has given no clear answer about leases; null while it gives some} */
    default @Nullable Instant unclearSince() {
        return null;
    }

    /** What to do with work whose lease is lost before it is done. */
    enum OnLoss {

        /** Interrupt its thread; the caller gets a {@link LeaseLostException}. */
        INTERRUPT,

        /** Let it finish, and return what it returns. What it writes must then be guarded by the fencing token. */
        LET_FINISH
    }

    /** Work to do under a lease. */
    @FunctionalInterface
    interface LeaseWork<T extends @Nullable Object, X extends Exception> {

        /** Does the work, under the lease that is held. */
        T run(Lease lease) throws X;
    }

    /**
     * What the table shows of a name, for people who look. It may be outdated when it is read: decide nothing by it.
     *
     * @param epoch no hold so far has had a greater fencing token
     * @param holder the name of the process that holds it, or null if none does
     * @param remaining how long the lease lasts unless it is renewed; zero if no process holds it
     */
    record LeaseInfo(String name, long epoch, @Nullable String holder, Duration remaining) {

        /** {@return whether a process held it when the table was read} */
        public boolean isHeld() {
            return holder != null;
        }
    }

    /** {@link LeaseLocks} with an end. */
    @Internal
    interface CloseableLeaseLocks extends LeaseLocks, AutoCloseable {

        /**
         * Sends all callers away that wait, frees what is held, waiting a few seconds for it, and ends the timers. Holders whose
         * work still runs learn of the loss, for {@link LossReason#CLOSED}; work under {@link OnLoss#INTERRUPT} is interrupted.
         */
        @Override
        void close();
    }

    /** Leases on several names that were acquired together and are released together. */
    interface Leases extends AutoCloseable {

        /** {@return the leases, sorted by name} */
        List<Lease> all();

        /**
         * {@return the lease of one name}
         *
         * @throws IllegalArgumentException if it is none of the names
         */
        Lease get(String name);

        /** {@return whether every one of them is held} */
        boolean isHeld();

        /** Releases all of them, the last acquired first. */
        @Override
        void close();
    }
}
