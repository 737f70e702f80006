package io.surewrite.lease;

import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.hold.WriteHolds;
import org.jspecify.annotations.Nullable;

/** Runs work under a lease that has been acquired, and releases it. */
final class UnderLease {

    private UnderLease() {}

    static <T extends @Nullable Object, X extends Exception> T call(
            WatchedLease lease, OnLoss onLoss, LeaseWork<T, X> work) throws X {
        LossInterrupt interrupt = new LossInterrupt(Thread.currentThread());
        if (onLoss == OnLoss.INTERRUPT) {
            lease.whenLost(reason -> interrupt.lost());
        }
        Throwable failure = null;
        CurrentLeases.push(lease);
        WriteHolds.Bound bound = WriteHolds.bind(lease);
        try {
            return work.run(lease);
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            bound.end();
            CurrentLeases.pop(lease);
            boolean lost = interrupt.end();
            lease.release();
            if (lost) {
                throwLost(lease, failure);
            }
        }
    }

    /**
     * What the work answered or threw after its lease was lost and it was interrupted means nothing any more, but that a
     * write may be in effect.
     */
    private static void throwLost(WatchedLease lease, @Nullable Throwable failure) {
        if (failure instanceof UnknownOutcomeException unknown) {
            throw unknown;
        }
        String message = "Lease '%s' was lost before the work was done".formatted(lease.name());
        LeaseLostException lost = new LeaseLostException(lease.name(), message, failure);
        throw lease.hasWritten()
                ? new UnknownOutcomeException(message + "; what it has written so far may be in effect", lost)
                : lost;
    }

    /** Interrupts the thread of the work, but never after the work. */
    private static final class LossInterrupt {

        private final Thread worker;
        private boolean ended;
        private boolean lost;

        LossInterrupt(Thread worker) {
            this.worker = worker;
        }

        synchronized void lost() {
            if (!ended) {
                lost = true;
                worker.interrupt();
            }
        }

        /** Whether the lease was lost meanwhile; the thread's interrupt flag is as before then. */
        synchronized boolean end() {
            ended = true;
            if (lost) {
                Thread.interrupted();
            }
            return lost;
        }
    }
}
