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

/** What measured clocks prove to be wrong. */
record ClockRules(List<NodeClock> nodes) {

    /** More than half of the nodes must call the clock of this process wrong, all in the same direction. */
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

    /** Compares all clocks, also that of this process, and names the two that are furthest apart. */
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
        return String.format(
                Locale.ROOT,
                "the clock of %s is at least %.3f s ahead of that of %s",
                name(fast),
                lead.leastSeconds(),
                name(slow));
    }

    private static String name(NodeClock clock) {
        return clock.node().isEmpty() ? "this process" : "node " + clock.node();
    }
}
