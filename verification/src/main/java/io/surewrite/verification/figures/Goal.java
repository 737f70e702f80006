package io.surewrite.verification.figures;

import java.util.Locale;

/**
 * What a result should be.
 *
 * @param bound on which side of the limit
 * @param limit the last result that meets the goal
 */
public record Goal(Bound bound, double limit) {

    /** A side of a limit. */
    public enum Bound {
        /** Less is better. */
        AT_MOST,
        /** More is better. */
        AT_LEAST
    }

    /**
     * A goal where less is better.
     *
     * @param limit the highest result that meets it
     * @return the goal
     */
    public static Goal atMost(double limit) {
        return new Goal(Bound.AT_MOST, limit);
    }

    /**
     * A goal where more is better.
     *
     * @param limit the lowest result that meets it
     * @return the goal
     */
    public static Goal atLeast(double limit) {
        return new Goal(Bound.AT_LEAST, limit);
    }

    /**
     * {@return whether a result meets the goal}
     *
     * @param result what was measured
     */
    public boolean isMetBy(double result) {
        return bound == Bound.AT_MOST ? result <= limit : result >= limit;
    }

    /**
     * {@return how far a result is on its way to the limit: 1 is the limit, less is better}
     *
     * @param result what was measured
     */
    public double share(double result) {
        return bound == Bound.AT_MOST ? result / limit : limit / result;
    }

    @Override
    public String toString() {
        String side = bound == Bound.AT_MOST ? "at most " : "at least ";
        return side + String.format(Locale.ROOT, limit == Math.rint(limit) ? "%,.0f" : "%.2f", limit);
    }
}
