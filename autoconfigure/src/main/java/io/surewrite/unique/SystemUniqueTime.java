package io.surewrite.unique;

import io.surewrite.cql.WriteTimestamps;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;

/** The real clock, the session's write timestamps, and one daemon thread for all timers. */
final class SystemUniqueTime implements UniqueTime, AutoCloseable {

    private static final long LEAP = TimeUnit.MILLISECONDS.toNanos(200);

    private final ScheduledThreadPoolExecutor scheduler;
    private final WriteTimestamps timestamps;
    private long lead = leadOver(System.nanoTime());
    private long slept;

    SystemUniqueTime(WriteTimestamps timestamps) {
        this.timestamps = timestamps;
        this.scheduler = new ScheduledThreadPoolExecutor(1, SystemUniqueTime::thread, new DiscardPolicy());
        this.scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * {@return the monotonic clock, and the time for which the machine slept} While a machine is suspended its monotonic
     * clock may stand still, and a claim would look fresh long after its lease: a leap of the wall clock counts as sleep.
     */
    @Override
    public synchronized long nanos() {
        long monotonic = System.nanoTime();
        long leap = leadOver(monotonic) - lead;
        if (Math.abs(leap) > LEAP) {
            lead += leap;
            slept += Math.max(0, leap);
        }
        return monotonic + slept;
    }

    @Override
    public long nextTimestamp() {
        return timestamps.next();
    }

    @Override
    public void after(long nanos, Runnable task) {
        var unused = scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        scheduler.shutdown();
    }

    private static long leadOver(long monotonic) {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - monotonic;
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "surewrite-unique");
        thread.setDaemon(true);
        return thread;
    }
}
