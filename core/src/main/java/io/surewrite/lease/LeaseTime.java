package io.surewrite.lease;

import io.surewrite.internal.clock.WakefulClock;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** All that the protocol knows of time. Simulated in tests. */
interface LeaseTime {

    Duration LONGEST = Duration.ofDays(36_500);

    /** Only differences mean something. */
    long nanos();

    /** A clock that nobody can set forward, but that may stand still while the machine sleeps. */
    long awakeNanos();

    /** Some decades at most: clocks of nanoseconds tell before from after as far as twice that. */
    static long nanos(Duration wait) {
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(LONGEST) < 0 ? wait.toNanos() : LONGEST.toNanos();
    }

    /** Runs a task later, on the one thread for all leases: it must not block. What it returns calls the task off. */
    Runnable after(long nanos, Runnable task);

    static CustomizableThreadFactory daemons(String prefix) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
        threads.setDaemon(true);
        return threads;
    }

    /** The real clock, and one daemon thread for all timers. */
    record OfSystem(WakefulClock clock, ScheduledThreadPoolExecutor scheduler) implements LeaseTime {

        private static final Logger LOGGER = LoggerFactory.getLogger(LeaseTime.class);

        OfSystem() {
            this(
                    WakefulClock.ofSystem(),
                    new ScheduledThreadPoolExecutor(1, daemons("surewrite-lease-"), new DiscardPolicy()));
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

        private static void run(Runnable task) {
            try {
                task.run();
            } catch (RuntimeException failure) {
                LOGGER.error("A lease timer failed", failure);
            }
        }
    }
}
