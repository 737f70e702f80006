package io.surewrite.autoconfigure;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import java.time.Duration;
import java.util.Optional;
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
}
