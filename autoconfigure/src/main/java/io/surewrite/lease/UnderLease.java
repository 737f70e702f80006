package io.surewrite.lease;

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
        try {
            return work.run(lease);
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            CurrentLeases.pop(lease);
            boolean lost = interrupt.end();
            lease.release();
            if (lost) {
                throwLost(lease, failure);
            }
        }
    }

    /** What the work answered or threw after its lease was lost and it was interrupted means nothing any more. */
    private static void throwLost(Lease lease, @Nullable Throwable failure) {
        throw new LeaseLostException(
                lease.name(), "Lease '%s' was lost before the work was done".formatted(lease.name()), failure);
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
