package io.surewrite.verification.overwrite;

import java.util.Arrays;

/** How long something took, each time. */
final class Times {

    private long[] nanos = new long[1024];
    private int size;

    void time(Runnable action) {
        long start = System.nanoTime();
        action.run();
        add(System.nanoTime() - start);
    }

    private void add(long taken) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * size);
        }
        nanos[size++] = taken;
    }

    /** Forgets the warm-up. */
    void reset() {
        size = 0;
    }

    double percentileMillis(double share) {
        long[] sorted = Arrays.copyOf(nanos, size);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(size - 1L, Math.round(share * size))] / 1e6;
    }
}
