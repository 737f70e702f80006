package io.surewrite.autoconfigure;

import io.surewrite.cql.session.DriverFailures;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.tenure.LeaseSweep;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Removes from time to time what no process needs any more. Where the application has leases one process at a time does, and
 * the others do not begin again right after it; without leases each does, which costs more and is as right.
 */
final class BackgroundSweep implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(BackgroundSweep.class);

    private static final int STOPS_WITHIN_SECONDS = 5;

    private final String what;
    private final String lease;
    private final ObjectProvider<LeaseLocks> leases;
    private final Duration firstAfter;
    private final Duration every;
    private final BooleanSupplier mayBegin;
    private final Consumer<BooleanSupplier> sweepWhile;
    private final AtomicReference<@Nullable ThreadPoolTaskScheduler> thread = new AtomicReference<>();

    /**
     * @param what it removes, for the log
     * @param lease the name of the lease under which it does
     * @param firstAfter how long to wait before the first sweep, at most
     * @param every how long to wait from one sweep to the next
     * @param mayBegin whether anything may be removed yet
     * @param sweepWhile sweeps once, as long as it may
     */
    BackgroundSweep(
            String what,
            String lease,
            ObjectProvider<LeaseLocks> leases,
            Duration firstAfter,
            Duration every,
            BooleanSupplier mayBegin,
            Consumer<BooleanSupplier> sweepWhile) {
        this.what = what;
        this.lease = lease;
        this.leases = leases;
        this.firstAfter = firstAfter.compareTo(every) < 0 ? firstAfter : every;
        this.every = every;
        this.mayBegin = mayBegin;
        this.sweepWhile = sweepWhile;
    }

    /**
     * Removes the rows of leases that were not used for long.
     *
     * @param knownToAll whether no process uses the table that does not know of sweeps
     */
    static BackgroundSweep ofLeaseRows(
            LeaseSweep sweep, BooleanSupplier knownToAll, ObjectProvider<LeaseLocks> leases, Duration every) {
        var unused = knownToAll.getAsBoolean(); // early, as it takes a while until it can be so
        return new BackgroundSweep(
                "Rows of leases that are not used any more",
                "surewrite:lease-sweep",
                leases,
                Duration.ofMinutes(
                        3), // longer than it takes until a table that is closed to older processes may be swept
                every,
                knownToAll,
                mayGoOn -> log.info(
                        "{} rows of leases removed that were not used any more",
                        sweep.run(mayGoOn).toCompletableFuture().join()));
    }

    @Override
    public void start() {
        ThreadPoolTaskScheduler sweeping = new ThreadPoolTaskScheduler();
        sweeping.setThreadNamePrefix(lease.replace(':', '-') + "-");
        sweeping.setDaemon(true);
        sweeping.setAwaitTerminationSeconds(STOPS_WITHIN_SECONDS); // so that the lease is given back
        sweeping.initialize();
        thread.set(sweeping);
        var unused = sweeping.scheduleWithFixedDelay(this::sweep, Instant.now().plus(firstAfter), every);
    }

    private void sweep() {
        try {
            if (!mayBegin.getAsBoolean()) {
                return;
            }
            LeaseLocks locks = leases.getIfAvailable();
            if (locks == null) {
                sweepWhile.accept(this::isRunning);
            } else {
                locks.tryAcquire(lease).ifPresent(this::sweepUnder);
            }
        } catch (RuntimeException failure) {
            if (isRunning()) {
                log.warn("{} stay until the next sweep, in {}", what, every, DriverFailures.unwrapped(failure));
            }
        }
    }

    /** Where it fails, another process may try at once. */
    private void sweepUnder(Lease mine) {
        try (mine) {
            sweepWhile.accept(() -> isRunning() && mine.isHeld());
            mine.releaseAfter(every.dividedBy(2));
        }
    }

    @Override
    public boolean isRunning() {
        return thread.get() != null;
    }

    @Override
    public void stop() {
        ThreadPoolTaskScheduler running = thread.getAndSet(null);
        if (running != null) {
            running.shutdown();
        }
    }
}
