package io.surewrite.autoconfigure;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.tenure.LeaseSweep;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.catalog.UniqueCatalog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Removes from time to time what no process needs any more. Where the application has leases one process at a time does, and
 * the others do not begin again right after it; without leases each does, which costs more and is as right.
 */
abstract class BackgroundSweep implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(BackgroundSweep.class);

    private static final long STOPS_WITHIN_SECONDS = 5;

    private final String what;
    private final String lease;
    private final ObjectProvider<LeaseLocks> leases;
    private final Duration firstAfter;
    private final Duration every;
    private @Nullable ExecutorService thread;

    /**
     * @param what it removes, for the log
     * @param lease the name of the lease under which it does
     * @param firstAfter how long to wait before the first sweep, at most
     * @param every how long to wait from one sweep to the next
     */
    BackgroundSweep(String what, String lease, ObjectProvider<LeaseLocks> leases, Duration firstAfter, Duration every) {
        this.what = what;
        this.lease = lease;
        this.leases = leases;
        this.firstAfter = firstAfter.compareTo(every) < 0 ? firstAfter : every;
        this.every = every;
    }

    /** {@return whether anything may be removed yet} */
    boolean mayBegin() {
        return true;
    }

    /** Sweeps once, as long as it may. */
    abstract void sweepWhile(BooleanSupplier mayGoOn);

    @Override
    public synchronized void start() {
        ScheduledExecutorService sweeping = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, lease.replace(':', '-'));
            made.setDaemon(true);
            return made;
        });
        var unused = sweeping.scheduleWithFixedDelay(
                this::sweep, firstAfter.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
        thread = sweeping;
    }

    private void sweep() {
        try {
            if (!mayBegin()) {
                return;
            }
            LeaseLocks locks = leases.getIfAvailable();
            if (locks == null) {
                sweepWhile(this::isRunning);
            } else {
                Optional<Lease> mine = locks.tryAcquire(lease);
                if (mine.isPresent()) {
                    sweepUnder(mine.get());
                }
            }
        } catch (RuntimeException failure) {
            if (isRunning()) {
                log.warn("{} stay until the next sweep, in {}", what, every, failure);
            }
        }
    }

    /** Where it fails, another process may try at once. */
    private void sweepUnder(Lease mine) {
        try (mine) {
            sweepWhile(() -> isRunning() && mine.isHeld());
            mine.releaseAfter(every.dividedBy(2));
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }

    @Override
    public void stop() {
        ExecutorService running;
        synchronized (this) {
            running = thread;
            thread = null;
        }
        if (running == null) {
            return;
        }
        running.shutdownNow();
        try {
            // So that the lease is given back.
            if (!running.awaitTermination(STOPS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                log.info("A sweep is still under way: {}", what);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes the claims of writers that died. */
    static final class OfClaims extends BackgroundSweep {

        static final String LEASE = "surewrite:unique-sweep";

        private final UniqueCatalog catalog;
        private final ObjectProvider<UniqueConstraints> constraints;

        OfClaims(
                UniqueCatalog catalog,
                ObjectProvider<UniqueConstraints> constraints,
                ObjectProvider<LeaseLocks> leases,
                Duration every) {
            super("Abandoned claims of unique values", LEASE, leases, Duration.ofMinutes(1), every);
            this.catalog = catalog;
            this.constraints = constraints;
        }

        @Override
        void sweepWhile(BooleanSupplier mayGoOn) {
            for (UniqueCatalog.Entry entry : catalog.entries()) {
                if (mayGoOn.getAsBoolean()) {
                    constraints.getObject().sweep(entry.constraint().name());
                }
            }
        }
    }

    /** Removes the rows of leases that were not used for long, once every process that uses the table knows of it. */
    static final class OfLeaseRows extends BackgroundSweep {

        static final String LEASE = "surewrite:lease-sweep";

        /** Longer than it takes until a table that is closed to older processes may be swept. */
        private static final Duration FIRST_AFTER = Duration.ofMinutes(3);

        private final LeaseSweep sweep;
        private final BooleanSupplier knownToAll;

        /**
         * @param knownToAll whether no process uses the table that does not know of sweeps
         */
        OfLeaseRows(LeaseSweep sweep, BooleanSupplier knownToAll, ObjectProvider<LeaseLocks> leases, Duration every) {
            super("Rows of leases that are not used any more", LEASE, leases, FIRST_AFTER, every);
            this.sweep = sweep;
            this.knownToAll = knownToAll;
        }

        /** Asks early: it takes a while until it can be so. */
        @Override
        public synchronized void start() {
            mayBegin();
            super.start();
        }

        @Override
        boolean mayBegin() {
            return knownToAll.getAsBoolean();
        }

        @Override
        void sweepWhile(BooleanSupplier mayGoOn) {
            try {
                long removed = sweep.run(mayGoOn).toCompletableFuture().join();
                log.info("{} rows of leases removed that were not used any more", removed);
            } catch (CompletionException failed) {
                throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
            }
        }
    }
}
