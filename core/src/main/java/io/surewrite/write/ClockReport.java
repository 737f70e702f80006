package io.surewrite.write;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What is known of the clocks that one session has to do with.
 *
 * @param nodes the nodes that this process talks to, each with the offset of its clock
 * @param problems what is known to be wrong, by the setting that it breaks; empty if nothing is
 */
@Internal
public record ClockReport(List<NodeClock> nodes, Map<String, String> problems) {

    /** Before the first measurement. */
    public static final ClockReport NOTHING = new ClockReport(List.of(), Map.of());

    /**
     * The clock of one node.
     *
     * @param node the node's address
     * @param offset how far its clock is ahead of this process's
     */
    public record NodeClock(String node, ClockOffset offset) {}

    /** Copies what it gets. */
    public ClockReport {
        nodes = List.copyOf(nodes);
        problems = Map.copyOf(problems);
    }

    /** {@return whether the offset of every node is known, and there is one} */
    public boolean isComplete() {
        return !nodes.isEmpty() && nodes.stream().allMatch(node -> node.offset().isKnown());
    }

    /**
     * How far one clock is ahead of another, as far as that is known: at least {@code low} and at most {@code high}
     * nanoseconds. Negative numbers mean behind.
     *
     * @param low at least so much
     * @param high at most so much
     */
    public record ClockOffset(long low, long high) {

        /** Nothing is known. Far enough from the limits of a long that differences of two do not overflow. */
        public static final ClockOffset UNKNOWN = new ClockOffset(Long.MIN_VALUE / 4, Long.MAX_VALUE / 4);

        /**
         * What an answer tells: the clock showed this, cut to whole milliseconds, some time between two readings of ours.
         *
         * @param shown by the other clock
         * @param before our reading before we asked
         * @param after our reading after the answer
         * @return what is known by it
         */
        public static ClockOffset measured(long shown, long before, long after) {
            return new ClockOffset(shown - after, shown + 1_000_000 - before);
        }

        /** {@return whether anything is known} */
        public boolean isKnown() {
            return low > UNKNOWN.low && high < UNKNOWN.high;
        }

        /**
         * Whether the clocks are apart by more than this for certain: the whole interval lies outside. A wide interval proves
         * nothing.
         *
         * @param margin how far they may be apart
         * @return true only if they are further apart
         */
        public boolean isBeyond(Duration margin) {
            return low > margin.toNanos() || high < -margin.toNanos();
        }

        /** {@return the middle of the interval, in seconds; not a number if nothing is known} */
        public double seconds() {
            return isKnown() ? (low / 2 + high / 2) / 1e9 : Double.NaN;
        }

        /** {@return how far {@link #seconds()} may be wrong, in seconds; not a number if nothing is known} */
        public double uncertaintySeconds() {
            return isKnown() ? width() / 2e9 : Double.NaN;
        }

        /** {@return how many seconds the clocks are apart at least} */
        public double leastSeconds() {
            return Math.max(0, Math.max(low, -high)) / 1e9;
        }

        /** {@return how many nanoseconds the bounds are apart} */
        public long width() {
            return high - low;
        }

        /**
         * The offset between two clocks whose offsets to a third one are known.
         *
         * @param other that of the other clock
         * @return how far this one is ahead of the other
         */
        public ClockOffset minus(ClockOffset other) {
            return isKnown() && other.isKnown() ? new ClockOffset(low - other.high, high - other.low) : UNKNOWN;
        }

        @Override
        public String toString() {
            return isKnown() ? String.format(Locale.ROOT, "%.3f s to %.3f s", low / 1e9, high / 1e9) : "unknown";
        }
    }
}
