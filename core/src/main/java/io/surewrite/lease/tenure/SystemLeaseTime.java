package io.surewrite.lease.tenure;

import io.surewrite.cql.clock.ClockCheck;
import io.surewrite.cql.clock.WakefulClock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real clock, and one daemon thread for all timers. That of a lease is nearly always called off long before its time,
 * so it first waits in a set, which costs next to nothing; a beat hands those that come near to the scheduler.
 */
final class SystemLeaseTime implements LeaseTime, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(SystemLeaseTime.class);

    private static final Duration BEAT = Duration.ofMillis(250);

    /** More than one beat, so that no beat comes too late for a timer. */
    private static final long NEAR = 2 * BEAT.toNanos();

    private final ScheduledThreadPoolExecutor scheduler;
    private final AtomicBoolean beating = new AtomicBoolean();
    private final Set<FarTimer> farAway = ConcurrentHashMap.newKeySet();
    private final WakefulClock clock = WakefulClock.ofSystem();

    private final ClockCheck clocks;

    SystemLeaseTime() {
        this(ClockCheck.NONE);
    }

    SystemLeaseTime(ClockCheck clocks) {
        this.clocks = clocks;
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
    public ClockCheck clocks() {
        return clocks;
    }

    @Override
    public Timer after(long nanos, Runnable task) {
        if (nanos > NEAR) {
            startBeating();
            FarTimer timer = new FarTimer(System.nanoTime() + nanos, task);
            farAway.add(timer);
            return timer;
        }
        Future<?> future = schedule(nanos, task);
        return () -> future.cancel(false);
    }

    private void startBeating() {
        if (!beating.getPlain() && beating.compareAndSet(false, true)) {
            var unused =
                    scheduler.scheduleAtFixedRate(this::beat, BEAT.toNanos(), BEAT.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void beat() {
        long now = System.nanoTime();
        farAway.removeIf(timer -> timer.comesNear(now));
    }

    private Future<?> schedule(long nanos, Runnable task) {
        return scheduler.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
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

    /** A timer that the scheduler does not know yet. */
    private final class FarTimer implements Timer {

        private final long dueAt;
        private final Runnable task;
        private volatile boolean cancelled;

        private FarTimer(long dueAt, Runnable task) {
            this.dueAt = dueAt;
            this.task = task;
        }

        /** Tells whether it is the scheduler's from now on. */
        private boolean comesNear(long now) {
            boolean near = dueAt - now <= NEAR;
            if (near) {
                var unused = schedule(dueAt - now, () -> {
                    if (!cancelled) {
                        task.run();
                    }
                });
            }
            return near;
        }

        @Override
        public void cancel() {
            cancelled = true;
            farAway.remove(this);
        }
    }
}
