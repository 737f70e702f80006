package io.surewrite.verification.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Judges rows that one thread each writes, version after version, and everybody reads. A read that begins after a write
 * was acknowledged shows that version or a later one, and no read shows less than one before it.
 */
final class WriteChecker {

    private final List<Violation> violations = new ArrayList<>();

    /** {@return what is wrong with what all processes saw} */
    List<Violation> violations(List<Event> events) {
        Map<String, List<Event>> byRow = events.stream()
                .filter(event -> !event.subject().isEmpty())
                .collect(Collectors.groupingBy(Event::subject));
        byRow.forEach((row, seen) -> check(row, seen));
        return violations;
    }

    private void check(String row, List<Event> events) {
        Set<Long> begun = new HashSet<>();
        List<Event> reads = new ArrayList<>();
        List<Event> certain = new ArrayList<>(); // what bounds later reads from below
        for (Event event : events) {
            switch (event.what()) {
                case Event.BEGUN -> {
                    if (!begun.add(event.number())) {
                        add(row, false, "version %d was written twice".formatted(event.number()));
                    }
                }
                case Event.ACKNOWLEDGED -> certain.add(event);
                case Event.READ -> {
                    reads.add(event);
                    certain.add(event);
                }
                default -> {}
            }
        }
        reads.sort(Comparator.comparingLong(Event::from));
        certain.sort(Comparator.comparingLong(Event::to));
        checkReads(row, reads, certain, begun);
    }

    private void checkReads(String row, List<Event> reads, List<Event> certain, Set<Long> begun) {
        int known = 0;
        Event newest = null;
        for (Event read : reads) {
            for (; known < certain.size() && certain.get(known).isBefore(read); known++) {
                Event next = certain.get(known);
                newest = newest == null || next.number() > newest.number() ? next : newest;
            }
            if (newest != null && read.number() < newest.number()) {
                boolean wasRead = newest.is(Event.READ);
                add(
                        row,
                        !wasRead,
                        "version %d was %s, and a later read shows %d"
                                .formatted(newest.number(), wasRead ? "read" : "acknowledged", read.number()));
            }
            if (read.number() != 0 && !begun.contains(read.number())) {
                add(row, false, "a read shows version %d, which nobody wrote".formatted(read.number()));
            }
        }
    }

    private void add(String row, boolean isLoss, String what) {
        violations.add(new Violation(row, isLoss, row + ": " + what));
    }
}
