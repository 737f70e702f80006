package io.surewrite.alledeals.lab;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The messages of one side, and what the people say: what happened when, since both sides began. */
final class Timeline {

    private volatile long start = System.nanoTime();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    void begin() {
        start = System.nanoTime();
    }

    void add(String who, Kind kind, String what) {
        events.add(new Event(millis(), who, kind, what));
    }

    long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** What happened, in order. */
    public List<Event> events() {
        return events.stream().sorted(Comparator.comparingLong(Event::millis)).toList();
    }

    /** What became of a message. */
    enum Kind {
        /** It has left. */
        SENT("M0-5V5"),
        /** It has left again, after its sender heard nothing. */
        RETRIED("M-4 4L0-5L4 4Z"),
        /** The sender heard nothing. */
        LOST("M-4-4L4 4M-4 4L4-4"),
        /** The database has done it. */
        APPLIED("M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z"),
        /** The database has not done it: a condition did not hold. */
        REFUSED("M-3.5-3.5H3.5V3.5H-3.5Z"),
        /** The database has answered a question. */
        READ("M-4 0L0-4L4 0L0 4Z"),
        /** Somebody says something. */
        SAID("");

        private final String shape;

        Kind(String shape) {
            this.shape = shape;
        }

        /** {@return its mark, as a path around the origin} */
        public String shape() {
            return shape;
        }

        /** {@return the word for it} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Something happened. */
    record Event(long millis, String who, Kind kind, String what) {}
}
