package io.surewrite.verification;

import java.util.Arrays;

/** How long something took, each time. */
public final class Times {

    private long[] nanos = new long[1024];
    private int size;

    /**
     * Does something and takes its time.
     *
     * @param action what to do
     */
    public void time(Runnable action) {
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
    public void reset() {
        size = 0;
    }

    /**
     * {@return how long the given share of all took at most, in milliseconds}
     *
     * @param share from 0 to 1, such as 0.5 for the median
     */
    public double percentileMillis(double share) {
        long[] sorted = Arrays.copyOf(nanos, size);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(size - 1L, Math.round(share * size))] / 1e6;
    }
}
