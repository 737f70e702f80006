package io.surewrite.lease;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real clock, and one daemon thread for all timers. */
final class SystemLeaseTime implements LeaseTime, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(SystemLeaseTime.class);

    /** Short enough that the timer of a lease, which nearly always is stopped in time, is hardly ever the next one. */
    private static final Duration HEARTBEAT = Duration.ofMillis(250);

    private final ScheduledThreadPoolExecutor scheduler;
    private final AtomicBoolean beating = new AtomicBoolean();
    private final WakefulClock clock = new WakefulClock(System::nanoTime, System::currentTimeMillis);

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
    public Timer after(long nanos, Runnable task) {
        beat();
        ScheduledFuture<?> future = scheduler.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** Setting a timer that becomes the next one wakes the thread, which costs more than the timer itself. */
    private void beat() {
        if (!beating.getPlain() && beating.compareAndSet(false, true)) {
            var unused = scheduler.scheduleAtFixedRate(() -> {}, 0, HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS);
        }
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
