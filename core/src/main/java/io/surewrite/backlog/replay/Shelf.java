package io.surewrite.backlog.replay;

import io.surewrite.backlog.BacklogListener;
import io.surewrite.backlog.store.SqliteBacklogStore;
import io.surewrite.cql.GuardedListeners;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the backlogs of all sessions share.
 *
 * @param waiting whether something waited when it was looked last, whichever session's write it is
 */
record Shelf(
        SqliteBacklogStore store,
        BacklogSettings settings,
        EntryCodec codec,
        GuardedListeners<BacklogListener> listeners,
        Clock clock,
        AtomicBoolean waiting) {

    /** A write was kept; it may be done already. */
    void filled() {
        waiting.set(true);
        look();
    }

    /** A write may have been the last. */
    void look() {
        if (store.size().entries() == 0 && waiting.compareAndSet(true, false)) {
            listeners.tell(BacklogListener::drained);
        }
    }
}
