package io.surewrite.autoconfigure;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
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
 * Removes the claims of writers that died, from time to time. Where the application has leases one process at a time does, and
 * the others do not begin again right after it; without leases each does, which costs more and is as right.
 */
final class ClaimSweep implements SmartLifecycle {

    static final String LEASE = "surewrite:unique-sweep";

    private static final Logger log = LoggerFactory.getLogger(ClaimSweep.class);

    private static final Duration LONGEST_FIRST_WAIT = Duration.ofMinutes(1);
    private static final long STOPS_WITHIN_SECONDS = 5;

    private final UniqueCatalog catalog;
    private final ObjectProvider<UniqueConstraints> constraints;
    private final ObjectProvider<LeaseLocks> leases;
    private final Duration every;
    private @Nullable ExecutorService thread;

    /**
     * @param every how long to wait from one sweep to the next
     */
    ClaimSweep(
            UniqueCatalog catalog,
            ObjectProvider<UniqueConstraints> constraints,
            ObjectProvider<LeaseLocks> leases,
            Duration every) {
        this.catalog = catalog;
        this.constraints = constraints;
        this.leases = leases;
        this.every = every;
    }

    @Override
    public synchronized void start() {
        ScheduledExecutorService sweeping = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "surewrite-unique-sweep");
            made.setDaemon(true);
            return made;
        });
        Duration first = every.compareTo(LONGEST_FIRST_WAIT) < 0 ? every : LONGEST_FIRST_WAIT;
        var unused =
                sweeping.scheduleWithFixedDelay(this::sweep, first.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
        thread = sweeping;
    }

    private void sweep() {
        try {
            LeaseLocks locks = leases.getIfAvailable();
            if (locks == null) {
                sweepWhile(() -> true);
            } else {
                Optional<Lease> lease = locks.tryAcquire(LEASE);
                if (lease.isPresent()) {
                    sweepUnder(lease.get());
                }
            }
        } catch (RuntimeException failure) {
            if (isRunning()) {
                log.warn("Abandoned claims of unique values stay until the next sweep, in {}", every, failure);
            }
        }
    }

    /** Where it fails, another process may try at once. */
    private void sweepUnder(Lease lease) {
        try (lease) {
            sweepWhile(lease::isHeld);
            lease.releaseAfter(every.dividedBy(2));
        }
    }

    private void sweepWhile(BooleanSupplier mayGoOn) {
        for (UniqueCatalog.Entry entry : catalog.entries()) {
            if (mayGoOn.getAsBoolean()) {
                constraints.getObject().sweep(entry.constraint().name());
            }
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
                log.info("A sweep of abandoned claims is still under way");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
