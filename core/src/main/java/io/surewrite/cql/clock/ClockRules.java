package io.surewrite.cql.clock;

import io.surewrite.cql.ClockOffset;
import io.surewrite.cql.ClockReport.NodeClock;
import java.time.Duration;
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
     *
     * @return what is wrong, or null if nothing is known to be
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
     * Compares the clocks of the nodes with each other.
     *
     * @return which are furthest apart, or null if none is known to be beyond the margin
     */
    private @Nullable String nodesBeyond(Duration margin) {
        if (nodes.isEmpty()) {
            return null;
        }
        Pair furthest = new Pair(
                Collections.max(
                        nodes, Comparator.comparingLong(node -> node.offset().low())),
                Collections.min(
                        nodes, Comparator.comparingLong(node -> node.offset().high())));
        return furthest.lead().low() > margin.toNanos() ? furthest + disagreement(furthest, margin) : null;
    }

    /**
     * Two nodes.
     *
     * @param fast the one whose clock is ahead
     * @param slow the other
     */
    private record Pair(NodeClock fast, NodeClock slow) {

        ClockOffset lead() {
            return fast.offset().minus(slow.offset());
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "the clock of node %s is at least %.3f s ahead of that of node %s",
                    fast.node(),
                    lead().leastSeconds(),
                    slow.node());
        }
    }

    /** Names the one of two that is wrong, where there are enough others to tell. */
    private String disagreement(Pair pair, Duration margin) {
        boolean fastIsOdd = isOdd(pair.fast(), margin);
        boolean slowIsOdd = isOdd(pair.slow(), margin);
        return fastIsOdd == slowIsOdd
                ? ""
                : "; node %s disagrees with most others".formatted((fastIsOdd ? pair.fast() : pair.slow()).node());
    }

    private boolean isOdd(NodeClock node, Duration margin) {
        long apart = nodes.stream()
                .filter(other -> node.offset().minus(other.offset()).isBeyond(margin))
                .count();
        return apart * 2 > nodes.size() - 1;
    }

    /**
     * Compares all clocks with each other, that of this process among them.
     *
     * @return which are apart, or null if none is known to be beyond the margin
     */
    @Nullable
    String anyBeyond(Duration margin) {
        String process = processBeyond(margin);
        String between = process != null ? process : nodesBeyond(margin);
        return between != null
                ? between
                : nodes.stream()
                        .filter(node -> node.offset().isBeyond(margin))
                        .findFirst()
                        .map(node -> String.format(
                                Locale.ROOT,
                                "the clock of this process is at least %.3f s %s that of node %s",
                                node.offset().leastSeconds(),
                                node.offset().low() > 0 ? "behind" : "ahead of",
                                node.node()))
                        .orElse(null);
    }
}
