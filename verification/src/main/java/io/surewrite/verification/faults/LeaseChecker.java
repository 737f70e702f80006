package io.surewrite.verification.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Judges holds of leases. A hold is known by the observations "{@code isHeld()} was true at some instant between here and
 * there"; in between it was held too, because a hold that has ended does not begin again.
 */
final class LeaseChecker {

    private final Duration longestBlocked;
    private final List<Event> disturbances;
    private final Event run;
    private final List<String> violations = new ArrayList<>();
    private final List<List<Hold>> byName;
    private long longestSeen;

    /** One holder's time with a name under one token. */
    private record Hold(String who, String name, long token, Event first, Event last) {

        static Hold of(List<Event> observations) {
            Event first = observations.get(0);
            return new Hold(
                    first.who(),
                    first.subject(),
                    first.number(),
                    observations.stream()
                            .min(Comparator.comparingLong(Event::to))
                            .orElseThrow(),
                    observations.stream()
                            .max(Comparator.comparingLong(Event::from))
                            .orElseThrow());
        }

        /** Whether it was held at an instant that certainly lies before one at which the other was held. */
        boolean precedes(Hold other) {
            return first.isBefore(other.last);
        }

        @Override
        public String toString() {
            return "%s holds %s with token %d".formatted(who, name, token);
        }
    }

    LeaseChecker(List<Event> events, Duration longestBlocked) {
        this.longestBlocked = longestBlocked;
        this.disturbances = events.stream()
                .filter(event -> event.is(Event.NODE_FAULT) || event.is(Event.CLIENT_FAULT))
                .toList();
        this.run = events.stream()
                .filter(event -> event.is(Event.RUN))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Nobody says when the run was"));
        Map<String, List<Hold>> holds = events.stream()
                .filter(event -> event.is(Event.HELD))
                .collect(Collectors.groupingBy(event -> event.subject() + " " + event.number() + " " + event.who()))
                .values()
                .stream()
                .map(Hold::of)
                .sorted(Comparator.comparingLong(hold -> hold.first().from()))
                .collect(Collectors.groupingBy(Hold::name));
        this.byName = List.copyOf(holds.values());
    }

    /** {@return what is wrong, a sentence each} */
    List<String> violations() {
        for (List<Hold> holds : byName) {
            long heldUntil = Long.MIN_VALUE;
            for (int i = 0; i < holds.size(); i++) {
                // Holds are short and sorted: those that could overlap are near.
                for (int j = i + 1; j < Math.min(holds.size(), i + 50); j++) {
                    compare(holds.get(i), holds.get(j));
                }
                boolean last = i + 1 == holds.size();
                heldUntil = Math.max(heldUntil, holds.get(i).last().to());
                checkBlocked(
                        holds.get(i),
                        heldUntil,
                        last ? run.to() : holds.get(i + 1).first().from());
            }
        }
        return violations;
    }

    /** {@return the number of holds that were seen} */
    long holds() {
        return byName.stream().mapToLong(List::size).sum();
    }

    /** {@return how long a name was free or blocked at most while nobody was disturbed} Known once all was judged. */
    Duration longestWithoutHolder() {
        return Duration.ofNanos(longestSeen);
    }

    private void compare(Hold one, Hold other) {
        boolean before = one.precedes(other);
        boolean after = other.precedes(one);
        if (before && after) {
            violations.add("two holders: %s while %s".formatted(one, other));
        } else if (one.token() == other.token()) {
            violations.add("one token twice: %s and %s".formatted(one, other));
        } else if ((before && one.token() > other.token()) || (after && other.token() > one.token())) {
            violations.add("tokens do not rise: %s and %s".formatted(one, other));
        }
    }

    /**
     * Everybody always wants every name, so somebody must have it soon. The time counts from the last sign of the holder, or
     * from the end of the last disturbance: whoever was killed or stopped may have acquired right before. Before the run
     * everything is cold, and nothing is promised.
     */
    private void checkBlocked(Hold hold, long heldUntil, long nextAt) {
        long since = Math.max(heldUntil, run.from());
        for (Event disturbance : disturbances) {
            boolean within = disturbance.from() < nextAt
                    && disturbance.to() > hold.last().from();
            since = within ? Math.max(since, disturbance.to()) : since;
        }
        longestSeen = Math.max(longestSeen, nextAt - since);
        if (nextAt - since > longestBlocked.toNanos()) {
            violations.add("%s, and then nobody for %.3f s".formatted(hold, (nextAt - since) / 1e9));
        }
    }
}
