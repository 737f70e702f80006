package io.surewrite.embedded;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * What a node knows of the others.
 *
 * @param owners addresses of those that have a part of the ring
 * @param alive addresses of those that it takes for alive
 * @param changing addresses of those that come or go
 */
record RingView(Set<String> owners, Set<String> alive, Set<String> changing) {

    /** Reads three lines, as {@code Operations} writes them in the server. */
    static RingView of(String text) {
        List<Set<String>> lines = text.lines().map(RingView::addresses).toList();
        return new RingView(lines.get(0), lines.get(1), lines.size() > 2 ? lines.get(2) : Set.of());
    }

    private static Set<String> addresses(String line) {
        return line.isEmpty() ? Set.of() : Set.copyOf(List.of(line.split(",", -1)));
    }

    /** Whether these nodes and no others share the ring, none is coming or going, and those that run and no others are alive. */
    boolean shows(Collection<String> members, Collection<String> running) {
        return owners.equals(Set.copyOf(members)) && alive.equals(Set.copyOf(running)) && changing.isEmpty();
    }
}
