package io.surewrite.journal;

import io.surewrite.cql.GuardedListeners;
import java.util.List;

/**
 * Hears how wide partitions get, for metrics. Implementations are quick. What they throw is logged, once a minute at
 * most, and changes nothing.
 */
@FunctionalInterface
public interface JournalListener {

    /** Hears nothing. */
    JournalListener NONE = entries -> {};

    /**
     * An entity began a new bucket.
     *
     * @param entries how many entries its bucket before had, 100,000 being the most that is wise
     */
    void bucketClosed(long entries);

    /**
     * Several listeners as one.
     *
     * @param listeners the listeners
     * @return calls them all, the first one first, and throws nothing
     */
    static JournalListener all(List<JournalListener> listeners) {
        GuardedListeners<JournalListener> guarded = GuardedListeners.of(listeners);
        return entries -> guarded.tell(listener -> listener.bucketClosed(entries));
    }
}
