package io.surewrite.backlog.replay;

import io.surewrite.backlog.BacklogListener;
import io.surewrite.backlog.BacklogStore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Notices when nothing waits any more in a store, whichever session's write was the last. */
final class Drain {

    private final BacklogStore store;
    private final BacklogListener listener;
    private final AtomicBoolean waiting;

    Drain(BacklogStore store, BacklogListener listener) {
        this.store = store;
        this.listener = listener;
        this.waiting = new AtomicBoolean(store.size().entries() > 0);
    }

    BacklogListener listener() {
        return listener;
    }

    /** A write was kept; it may be done already. */
    void filled() {
        waiting.set(true);
        look();
    }

    /** A write may have been the last. */
    void look() {
        if (store.size().entries() == 0 && waiting.compareAndSet(true, false)) {
            listener.drained();
        }
    }
}
