package io.surewrite.verification.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** How often many threads get something done, for a while. */
final class Throughput {

    private static final int THREADS = 16;

    /** One way to do it once. */
    @FunctionalInterface
    interface Work {

        void once() throws Exception;
    }

    private Throughput() {}

    /**
     * {@return how often in a second each of several groups of 16 threads did something, all at the same time} What ends in a
     * {@link RuntimeException} counts as not done.
     */
    static List<Double> perSecond(Duration howLong, List<Work> groups) throws Exception {
        long end = System.nanoTime() + howLong.toNanos();
        List<LongAdder> counts = groups.stream().map(group -> new LongAdder()).toList();
        List<Future<?>> threads = new ArrayList<>();
        ExecutorService executor = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < THREADS * groups.size(); i++) {
                Work work = groups.get(i % groups.size());
                LongAdder count = counts.get(i % groups.size());
                threads.add(executor.submit(() -> {
                    while (System.nanoTime() < end) {
                        try {
                            work.once();
                            count.increment();
                        } catch (RuntimeException failed) {
                            Thread.onSpinWait();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> thread : threads) {
                thread.get();
            }
        } finally {
            executor.shutdownNow();
        }
        return counts.stream()
                .map(count -> count.sum() / (howLong.toMillis() / 1e3))
                .toList();
    }
}
