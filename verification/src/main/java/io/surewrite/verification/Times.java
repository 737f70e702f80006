package io.surewrite.verification;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How long something took, each time; many threads may add to it. */
public final class Times {

    private static final int DIGITS = 3;

    private final Histogram nanos = new ConcurrentHistogram(DIGITS);

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

    /**
     * Adds what something took.
     *
     * @param taken in nanoseconds
     */
    void add(long taken) {
        nanos.recordValue(taken);
    }

    /** Forgets the warm-up. */
    public void reset() {
        nanos.reset();
    }

    /**
     * {@return how long the given share of all took at most, in milliseconds}
     *
     * @param share from 0 to 1, such as 0.5 for the median
     */
    public double percentileMillis(double share) {
        return nanos.getValueAtPercentile(100 * share) / 1e6;
    }
}
