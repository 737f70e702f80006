package io.surewrite.lease;

import io.surewrite.internal.clock.WakefulClock;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real clock, and one daemon thread for all timers. */
final class SystemLeaseTime implements LeaseTime, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(SystemLeaseTime.class);

    private final ScheduledThreadPoolExecutor scheduler;
    private final WakefulClock clock = WakefulClock.ofSystem();

    SystemLeaseTime() {
        scheduler = new ScheduledThreadPoolExecutor(1, SystemLeaseTime::thread, new DiscardPolicy());
        scheduler.setRemoveOnCancelPolicy(true);
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public long awakeNanos() {
        return System.nanoTime();
    }

    @Override
    public Runnable after(long nanos, Runnable task) {
        Future<?> future = scheduler.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public void close() {
        scheduler.shutdown();
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "surewrite-lease");
        thread.setDaemon(true);
        return thread;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException failure) {
            LOGGER.error("A lease timer failed", failure);
        }
    }
}
