package io.surewrite.verification.benchmark;

import org.HdrHistogram.Histogram;

/** How long something took, each time. For one thread. */
final class Times {

    private static final int DIGITS = 3;

    private final Histogram nanos = new Histogram(DIGITS);

    /** Does something and takes its time, which it returns. */
    long time(Throughput.Work work) {
        long start = System.nanoTime();
        try {
            work.once();
        } catch (Exception failed) {
            throw new IllegalStateException("What is measured has failed", failed);
        }
        long took = System.nanoTime() - start;
        record(took);
        return took;
    }

    void record(long took) {
        nanos.recordValue(took);
    }

    long count() {
        return nanos.getTotalCount();
    }

    /** {@return how long the given share of all, from 0 to 1, took at most, in milliseconds} */
    double percentileMillis(double share) {
        return nanos.getValueAtPercentile(100 * share) / 1e6;
    }
}
