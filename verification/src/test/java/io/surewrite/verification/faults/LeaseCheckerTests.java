package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseCheckerTests {

    private final List<Event> events = new ArrayList<>(List.of(event("nemesis", Event.RUN, "", 0, 0, 10_000)));

    @Test
    void acceptsHoldsThatFollowEachOther() {
        hold("a", 1, 0, 1000);
        hold("b", 2, 1500, 3000);
        hold("a", 3, 3200, 9500);

        assertThat(violations()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "two holders, 1, 0, 5000, 2, 4000, 9500",
        "two holders, 1, 0, 9500, 2, 4000, 4500", // the one in the middle of the other
        "tokens do not rise, 2, 0, 1000, 1, 1500, 9500",
        "one token twice, 1, 0, 1000, 1, 1500, 9500",
        "nobody for, 1, 0, 1000, 2, 6000, 9500",
        "nobody for, 1, 0, 1000, 2, 1500, 5000" // until the end
    })
    void finds(String found, long token, long from, long to, long nextToken, long nextFrom, long nextTo) {
        hold("a", token, from, to);
        hold("b", nextToken, nextFrom, nextTo);

        assertThat(violations()).singleElement().asString().contains(found);
    }

    /** What was seen at some time in a long interval may have been before or after. */
    @Test
    void doesNotAccuseWhoeverWasStoppedWhileLooking() {
        events.add(event("a", Event.HELD, "name", 1, 0, 10));
        events.add(event("a", Event.HELD, "name", 1, 100, 9000));
        hold("b", 2, 4000, 9500);

        assertThat(violations()).isEmpty();
    }

    @Test
    void countsFromTheEndOfADisturbance() {
        hold("a", 1, 0, 1000);
        events.add(event("nemesis", Event.NODE_FAULT, "node", 0, 900, 3000));
        hold("b", 2, 6000, 9500);
        assertThat(violations()).isEmpty();

        events.add(event("nemesis", Event.CLIENT_FAULT, "a", 0, 9800, 9900));
        hold("a", 3, 9550, 9600);
        assertThat(violations()).isEmpty();
    }

    @Test
    void countsFromTheBeginningOfTheRun() {
        hold("a", 1, -9000, -8000);
        hold("b", 2, 3500, 9500);
        assertThat(violations()).isEmpty();

        events.removeIf(event -> event.number() == 2);
        hold("b", 2, 4500, 9500);
        assertThat(violations()).singleElement().asString().contains("nobody for 4.500 s");
    }

    private List<String> violations() {
        return new LeaseChecker(events, Duration.ofSeconds(4)).violations();
    }

    /** Seen held every half second. */
    private void hold(String who, long token, long from, long to) {
        for (long at = from; at <= to; at += 500) {
            events.add(event(who, Event.HELD, "name", token, at, at + 1));
        }
    }

    private static Event event(String who, String what, String subject, long number, long from, long to) {
        return new Event(who, what, subject, number, from * 1_000_000, to * 1_000_000);
    }
}
