package io.surewrite.backlog;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes entries that are done out of the store, many at a time. Nobody waits for it: an entry that is still there after a
 * crash is replayed once more, which changes nothing.
 */
final class Removals {

    private static final Logger log = LoggerFactory.getLogger(Removals.class);

    private final BacklogStore store;
    private final Queue<StoredEntry> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean underWay = new AtomicBoolean();

    Removals(BacklogStore store) {
        this.store = store;
    }

    void add(StoredEntry entry) {
        waiting.add(entry);
        removeWaiting();
    }

    /** One removal at a time; those who come meanwhile go with the next. */
    private void removeWaiting() {
        if (waiting.isEmpty() || !underWay.compareAndSet(false, true)) {
            return;
        }
        List<StoredEntry> entries = new ArrayList<>();
        for (StoredEntry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
            entries.add(entry);
        }
        var unused = store.remove(entries).whenComplete((done, failure) -> {
            if (failure != null) {
                log.warn("The backlog could not note what need not be replayed; it will be once more", failure);
            }
            underWay.set(false);
            removeWaiting();
        });
    }
}
