package io.surewrite.verification.benchmark;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Several ways of doing something, by one thread and in turn, so that whatever else the machine does hits all of them alike. A
 * way is taken some times in a row, as in an application; each round has an order of its own, since what one way leaves behind
 * at the server may slow the next.
 */
final class Contest {

    /** Short, so that three slow nodes have many rounds in which to be noisy, too. */
    private static final long TURN_NANOS = Duration.ofMillis(60).toNanos();

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<String, Way> ways = new LinkedHashMap<>();

    /** One way, and what it took of the thread that takes it. */
    private static final class Way {

        private final Throughput.Work work;
        private final Times times = new Times();
        private long calls;
        private long cpuNanos;
        private long bytes;

        Way(Throughput.Work work) {
            this.work = work;
        }

        void turn() {
            long cpu = THREADS.getCurrentThreadCpuTime();
            long allocated =
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (long began = System.nanoTime(); System.nanoTime() - began < TURN_NANOS; calls++) {
                times.time(work);
            }
            bytes += THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated;
            cpuNanos += THREADS.getCurrentThreadCpuTime() - cpu;
        }
    }

    Contest with(String name, Throughput.Work work) {
        ways.put(name, new Way(work));
        return this;
    }

    /**
     * Runs all ways for so long, after as long to warm up: that with many threads, for one alone would take too long to
     * run each way so often that the compilers of client and server have done with it.
     */
    Contest run(Duration howLong) throws Exception {
        for (Way way : ways.values()) {
            Throughput.perSecond(howLong.dividedBy(ways.size()), List.of(way.work));
        }
        List<Way> order = new ArrayList<>(ways.values());
        Random random = new Random(1);
        for (long end = System.nanoTime() + howLong.toNanos(); System.nanoTime() < end; ) {
            Collections.shuffle(order, random);
            order.forEach(Way::turn);
        }
        ways.forEach((name, way) -> System.out.printf(
                "%-46s %7d calls, p50 %.3f ms, p99 %.3f ms%n",
                name, way.calls, way.times.percentileMillis(0.5), way.times.percentileMillis(0.99)));
        return this;
    }

    /** {@return the median of a way, in milliseconds} */
    double median(String name) {
        return way(name).times.percentileMillis(0.5);
    }

    /** {@return the CPU time of the calling thread for a call, in microseconds} */
    double cpu(String name) {
        return way(name).cpuNanos / 1e3 / way(name).calls;
    }

    /** {@return what the calling thread allocates for a call} */
    double bytes(String name) {
        return (double) way(name).bytes / way(name).calls;
    }

    private Way way(String name) {
        return Objects.requireNonNull(ways.get(name), name);
    }

    /** Puts the medians of two ways beside each other. */
    void compare(Results results, String ours, String theirs) {
        results.ratio(ours + ", p50", "ms", median(ours), theirs, median(theirs));
    }

    /** The same with a goal. */
    void compare(Results results, String ours, String theirs, double atMost) {
        results.atMost(atMost, ours + ", p50", "ms", median(ours), theirs, median(theirs));
    }
}
