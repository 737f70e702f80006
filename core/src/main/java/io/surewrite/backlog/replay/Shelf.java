package io.surewrite.backlog.replay;

import io.surewrite.backlog.store.SqliteBacklogStore;
import java.time.Clock;

/** What the backlogs of all sessions share. */
record Shelf(SqliteBacklogStore store, BacklogSettings settings, EntryCodec codec, BacklogEvents events, Clock clock) {

    /** A write may have been the last. */
    void look() {
        events.look(store.size());
    }
}
