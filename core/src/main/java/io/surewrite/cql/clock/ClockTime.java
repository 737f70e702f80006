package io.surewrite.cql.clock;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clocks of this machine, and the one thread of a guard. Simulated in tests. */
interface ClockTime {

    /** {@return a clock that is never set, and of which only differences mean something} */
    long nanos();

    /** {@return the clock that makes the timestamps of writes} */
    long wallMicros();

    /** Runs a task on the guard's thread, so much later. */
    void after(long nanos, Runnable task);

    /** Ends the thread. */
    void close();

    /** {@return those of the system, with a thread of its own} */
    static ClockTime ofSystem(LongSupplier wallMicros) {
        return new OfSystem(wallMicros);
    }

    /** Those of the system. */
    final class OfSystem implements ClockTime {

        private static final Logger log = LoggerFactory.getLogger(ClockGuard.class);

        private final LongSupplier wallMicros;
        private final ScheduledThreadPoolExecutor thread;

        private OfSystem(LongSupplier wallMicros) {
            this.wallMicros = wallMicros;
            this.thread = new ScheduledThreadPoolExecutor(
                    1,
                    task -> {
                        Thread made = new Thread(task, "surewrite-clock");
                        made.setDaemon(true);
                        return made;
                    },
                    new DiscardPolicy());
            thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMicros() {
            return wallMicros.getAsLong();
        }

        @Override
        public void after(long nanos, Runnable task) {
            var unused = thread.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
        }

        private static void run(Runnable task) {
            try {
                task.run();
            } catch (RuntimeException failure) {
                log.error("The clocks could not be watched", failure);
            }
        }

        @Override
        public void close() {
            thread.shutdown();
        }
    }
}
