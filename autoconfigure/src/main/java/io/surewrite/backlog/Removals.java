package io.surewrite.backlog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes entries that are done out of the store, many at a time. Nobody waits for it: an entry that is still there after a
 * crash is replayed once more, which changes nothing.
 */
final class Removals {

    private static final Logger log = LoggerFactory.getLogger(Removals.class);

    private static final int MANY = 256;

    private final BacklogStore store;
    private List<StoredEntry> waiting = new ArrayList<>(MANY);

    Removals(BacklogStore store) {
        this.store = store;
    }

    /** Takes an entry out, at the latest with the next {@link #flush()}. */
    void add(StoredEntry entry) {
        List<StoredEntry> many;
        synchronized (this) {
            waiting.add(entry);
            if (waiting.size() < MANY) {
                return;
            }
            many = takeWaiting();
        }
        remove(many);
    }

    void flush() {
        List<StoredEntry> rest;
        synchronized (this) {
            rest = takeWaiting();
        }
        if (!rest.isEmpty()) {
            remove(rest);
        }
    }

    private List<StoredEntry> takeWaiting() {
        List<StoredEntry> taken = waiting;
        waiting = new ArrayList<>(MANY);
        return taken;
    }

    private void remove(List<StoredEntry> entries) {
        warnIfFailed(store.remove(entries));
    }

    /** Says that something could not be noted in the store. */
    static void warnIfFailed(CompletableFuture<Void> noted) {
        var unused = noted.whenComplete((done, failure) -> {
            if (failure != null) {
                log.warn("The backlog could not note what became of a write; it will be replayed once more", failure);
            }
        });
    }
}
