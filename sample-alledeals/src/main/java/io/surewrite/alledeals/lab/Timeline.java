package io.surewrite.alledeals.lab;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The messages of one side, and what the people say: what happened when, since both sides began. */
final class Timeline {

    private final long start;
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    Timeline(long startNanos) {
        this.start = startNanos;
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
        SENT,
        /** It has left again, after its sender heard nothing. */
        RETRIED,
        /** The sender heard nothing. */
        LOST,
        /** The database has done it. */
        APPLIED,
        /** The database has not done it: a condition did not hold. */
        REFUSED,
        /** The database has answered a question. */
        READ,
        /** Somebody says something. */
        SAID;

        /** {@return the word for it} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Something happened.
     *
     * @param millis when
     * @param who who sent the message, or says something
     * @param kind what became of the message
     * @param what the message, or what is said
     */
    record Event(long millis, String who, Kind kind, String what) {}
}
