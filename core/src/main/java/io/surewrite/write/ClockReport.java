package io.surewrite.write;

import java.util.List;
import java.util.Map;

/**
 * What is known of the clocks that one session has to do with.
 *
 * @param nodes the nodes that this process talks to, each with the offset of its clock
 * @param problems what is known to be wrong, by the setting that it breaks; empty if nothing is
 */
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
}
