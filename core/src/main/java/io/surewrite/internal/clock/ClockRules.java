package io.surewrite.internal.clock;

import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What measured clocks prove to be wrong. */
record ClockRules(Map<String, ClockOffset> nodes) {

    /** More than half of the nodes must call the clock of this process wrong, all in the same direction. */
    @Nullable
    String processBeyond(Duration margin) {
        String ahead = processBeyond("ahead of", offset -> offset.high() < -margin.toNanos());
        return ahead != null ? ahead : processBeyond("behind", offset -> offset.low() > margin.toNanos());
    }

    private @Nullable String processBeyond(String direction, Predicate<ClockOffset> isWitness) {
        List<ClockOffset> witnesses = nodes.values().stream().filter(isWitness).toList();
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
        Map<String, ClockOffset> all = new TreeMap<>();
        nodes.forEach((node, offset) -> all.put("node " + node, offset));
        all.put("this process", new ClockOffset(0, 0));
        Map.Entry<String, ClockOffset> fast = Collections.max(
                all.entrySet(),
                Comparator.comparingLong(clock -> clock.getValue().low()));
        Map.Entry<String, ClockOffset> slow = Collections.min(
                all.entrySet(),
                Comparator.comparingLong(clock -> clock.getValue().high()));
        ClockOffset lead = fast.getValue().minus(slow.getValue());
        if (lead.low() <= margin.toNanos()) {
            return null;
        }
        return String.format(
                Locale.ROOT,
                "the clock of %s is at least %.3f s ahead of that of %s",
                fast.getKey(),
                lead.leastSeconds(),
                slow.getKey());
    }
}
