package io.surewrite.internal.clock;

import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import io.surewrite.internal.clock.ClockGuard.ClockReport.NodeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What measured clocks prove to be wrong.
 *
 * @param nodes the nodes that this process talks to, each with the offset of its clock
 */
record ClockRules(List<NodeClock> nodes) {

    /**
     * Compares the clock of this process with those of the nodes. More than half of them must call it wrong, all in the
     * same direction; a node whose offset is not known calls nothing wrong.
     */
    @Nullable
    String processBeyond(Duration margin) {
        String ahead = processBeyond("ahead of", offset -> offset.high() < -margin.toNanos());
        return ahead != null ? ahead : processBeyond("behind", offset -> offset.low() > margin.toNanos());
    }

    private @Nullable String processBeyond(String direction, Predicate<ClockOffset> isWitness) {
        List<ClockOffset> witnesses =
                nodes.stream().map(NodeClock::offset).filter(isWitness).toList();
        return witnesses.size() * 2 <= nodes.size()
                ? null
                : String.format(
                        Locale.ROOT,
                        "the clock of this process is at least %.3f s %s those of %d of %d nodes",
                        witnesses.stream()
                                .mapToDouble(ClockOffset::leastSeconds)
                                .min()
                                .orElseThrow(),
                        direction,
                        witnesses.size(),
                        nodes.size());
    }

    /**
     * Compares all clocks with each other, that of this process among them, and names the one that is wrong, where there
     * are enough others to tell.
     *
     * @return which are furthest apart, or null if none is known to be beyond the margin
     */
    @Nullable
    String anyBeyond(Duration margin) {
        List<NodeClock> all = new ArrayList<>(nodes);
        all.add(new NodeClock("", new ClockOffset(0, 0)));
        NodeClock fast = Collections.max(
                all, Comparator.comparingLong(clock -> clock.offset().low()));
        NodeClock slow = Collections.min(
                all, Comparator.comparingLong(clock -> clock.offset().high()));
        ClockOffset lead = fast.offset().minus(slow.offset());
        if (lead.low() <= margin.toNanos()) {
            return null;
        }
        boolean fastIsOdd = isOdd(fast, all, margin);
        return String.format(
                        Locale.ROOT,
                        "the clock of %s is at least %.3f s ahead of that of %s",
                        name(fast),
                        lead.leastSeconds(),
                        name(slow))
                + (fastIsOdd == isOdd(slow, all, margin)
                        ? ""
                        : "; %s disagrees with most others".formatted(name(fastIsOdd ? fast : slow)));
    }

    private static String name(NodeClock clock) {
        return clock.node().isEmpty() ? "this process" : "node " + clock.node();
    }

    private static boolean isOdd(NodeClock clock, List<NodeClock> all, Duration margin) {
        long apart = all.stream()
                .filter(other -> clock.offset().minus(other.offset()).isBeyond(margin))
                .count();
        return apart * 2 > all.size() - 1;
    }
}
