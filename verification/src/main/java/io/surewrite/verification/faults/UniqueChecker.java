package io.surewrite.verification.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges rows that want values for themselves: no two rows have one value at the same time; what succeeded and was not
 * deleted is there at the end; what failed, or was deleted, never shows later; no row shows parts of two writes.
 */
public final class UniqueChecker {

    private final List<String> violations = new ArrayList<>();

    /** A row and the time in which it had its value for certain; a row that has lost it does not get it again. */
    private record Owner(String subject, Event first, Event last) {

        String value() {
            return subject.substring(0, subject.indexOf(' '));
        }

        /** Whether both had it at one instant, for certain. */
        boolean overlaps(Owner other) {
            return first.isBefore(other.last) && other.first.isBefore(last);
        }
    }

    /**
     * What is wrong.
     *
     * @param events what all processes saw
     * @param end who looked at all rows at the end
     * @return a sentence for each violation
     */
    public List<String> violations(List<Event> events, String end) {
        Map<String, List<Event>> byRow = events.stream()
                .filter(event -> event.is(Event.PRESENT) || event.is(Event.ABSENT) || event.is(Event.DELETING))
                .collect(Collectors.groupingBy(Event::subject));
        events.stream()
                .filter(event -> event.is(Event.MIXED))
                .forEach(event -> violations.add(event.subject() + " showed parts of two writes"));
        List<Owner> owners = new ArrayList<>();
        byRow.forEach((subject, seen) -> {
            checkRow(subject, seen, end);
            seen.stream()
                    .filter(event -> event.is(Event.PRESENT))
                    .min(Comparator.comparingLong(Event::to))
                    .ifPresent(first -> owners.add(new Owner(subject, first, last(seen))));
        });
        owners.stream()
                .collect(Collectors.groupingBy(owner -> owner.value()))
                .values()
                .forEach(this::checkValue);
        return violations;
    }

    /** When it was last seen, or first about to be deleted: a second deletion says nothing, as the first may have worked. */
    private static Event last(List<Event> seen) {
        return Stream.concat(
                        seen.stream().filter(event -> event.is(Event.PRESENT)),
                        seen.stream()
                                .filter(event -> event.is(Event.DELETING))
                                .min(Comparator.comparingLong(Event::from))
                                .stream())
                .max(Comparator.comparingLong(Event::from))
                .orElseThrow();
    }

    private void checkRow(String subject, List<Event> seen, String end) {
        List<Event> present =
                seen.stream().filter(event -> event.is(Event.PRESENT)).toList();
        for (Event absent : seen) {
            if (absent.is(Event.ABSENT) && present.stream().anyMatch(absent::isBefore)) {
                violations.add(subject + " was absent for good, and was seen later");
            }
        }
        boolean deleting = seen.stream().anyMatch(event -> event.is(Event.DELETING));
        if (!present.isEmpty()
                && !deleting
                && seen.stream().noneMatch(event -> event.is(Event.ABSENT) && isSeenUnderWay(event, present))
                && present.stream().noneMatch(event -> event.who().equals(end))) {
            violations.add(subject + " was there, nobody deleted it, and it is gone");
        }
    }

    /**
     * Whether an insert that failed in the end was seen by others, and only while it was under way: it may show for a
     * moment, until whoever takes its value over has deleted its row.
     */
    private static boolean isSeenUnderWay(Event failed, List<Event> present) {
        return present.stream()
                .allMatch(look -> !look.who().equals(failed.who()) && !look.isBefore(failed) && !failed.isBefore(look));
    }

    private void checkValue(List<Owner> owners) {
        owners.sort(Comparator.comparingLong(owner -> owner.first().from()));
        for (int i = 0; i < owners.size(); i++) {
            for (int j = i + 1; j < owners.size(); j++) {
                if (owners.get(i).overlaps(owners.get(j))) {
                    violations.add("two owners: %s and %s"
                            .formatted(owners.get(i).subject(), owners.get(j).subject()));
                }
            }
        }
    }
}
