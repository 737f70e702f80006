package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Timeline.Event;
import io.surewrite.alledeals.lab.Timeline.Kind;
import java.util.List;
import java.util.Locale;

/**
 * A timeline as a picture of 400 across: a lane for everybody who sends, and a mark for what became of each message.
 */
record TimelineView(List<Lane> lanes, List<Mark> marks, int height) {

    private static final int LEFT = 100;
    private static final int WIDTH = 290;
    private static final int LANE = 14;

    /** Draws a timeline. */
    static TimelineView of(Timeline timeline, long end) {
        List<Event> messages = timeline.events().stream()
                .filter(event -> event.kind() != Kind.SAID)
                .toList();
        List<String> people = messages.stream()
                .map(Event::who)
                .distinct()
                .sorted(TimelineView::byNumber)
                .toList();
        return new TimelineView(
                people.stream()
                        .map(who -> new Lane(who, y(people.indexOf(who))))
                        .toList(),
                messages.stream()
                        .map(event -> new Mark(
                                String.format(
                                        Locale.ROOT, "%.1f", LEFT + WIDTH * event.millis() / (double) Math.max(1, end)),
                                y(people.indexOf(event.who())),
                                event.kind(),
                                event.millis()))
                        .toList(),
                LANE * people.size() + 4);
    }

    /** "Buyer 2" comes before "Buyer 10". */
    private static int byNumber(String one, String other) {
        return one.length() == other.length() ? one.compareTo(other) : Integer.compare(one.length(), other.length());
    }

    private static int y(int lane) {
        return LANE * lane + LANE / 2 + 2;
    }

    /** A lane. */
    record Lane(String who, int y) {}

    /** A mark. */
    record Mark(String x, int y, Kind kind, long at) {}
}
