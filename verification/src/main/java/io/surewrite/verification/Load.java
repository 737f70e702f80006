package io.surewrite.verification;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Work that comes at a fixed rate, whether or not what came before is done, as users do. */
public final class Load {

    private static final int THREADS = 64;

    private Load() {}

    /**
     * Does something at a fixed rate. Each time counts from the moment at which the work was due, not from when a thread
     * was free for it: what a pause kept waiting is not left out (which is known as coordinated omission).
     *
     * @param perSecond how often
     * @param howLong how long
     * @param work what to do
     * @param times where to add what each took
     * @throws Exception what the work has thrown
     */
    public static void atRate(double perSecond, Duration howLong, Runnable work, Times times) throws Exception {
        long start = System.nanoTime();
        long count = (long) (perSecond * howLong.toMillis() / 1e3);
        AtomicLong next = new AtomicLong();
        List<Future<?>> threads = new ArrayList<>();
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            for (int i = 0; i < THREADS; i++) {
                threads.add(executor.submit(() -> {
                    for (long turn = next.getAndIncrement(); turn < count; turn = next.getAndIncrement()) {
                        long due = start + (long) (turn * 1e9 / perSecond);
                        for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
                            LockSupport.parkNanos(early);
                        }
                        work.run();
                        times.add(System.nanoTime() - due);
                    }
                }));
            }
            for (Future<?> thread : threads) {
                thread.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
