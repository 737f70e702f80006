package io.surewrite.verification.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Many threads that want one name, for a while. */
final class HotName {

    /** One way to get the name once and give it back. */
    @FunctionalInterface
    interface Hold {

        void once() throws Exception;
    }

    private HotName() {}

    /** {@return the holds in a second of each group of 16 threads} A failed hold counts as none. */
    static List<Double> holdsPerSecond(Duration howLong, List<Hold> groups) throws Exception {
        long end = System.nanoTime() + howLong.toNanos();
        List<LongAdder> counts = groups.stream().map(group -> new LongAdder()).toList();
        List<Future<?>> threads = new ArrayList<>();
        ExecutorService executor = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < 16 * groups.size(); i++) {
                Hold hold = groups.get(i % groups.size());
                LongAdder count = counts.get(i % groups.size());
                threads.add(executor.submit(() -> {
                    while (System.nanoTime() < end) {
                        try {
                            hold.once();
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
