package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.WriteTimestamps;
import java.time.Clock;
import java.util.List;

/** Makes a {@link WriteBacklog} over a session. */
public final class WriteBacklogFactory {

    private WriteBacklogFactory() {}

    /**
     * A backlog that begins to replay what it finds in the store.
     *
     * @param session does the writes; it stays open
     * @param store where they are kept; closed with the backlog
     * @param inspector decides what may wait
     * @param settings how it behaves
     * @param listener who is told what happens
     * @return the backlog
     */
    public static CloseableWriteBacklog create(
            CqlSession session,
            BacklogStore store,
            StatementInspector inspector,
            BacklogSettings settings,
            BacklogListener listener) {
        return create(session, store, inspector, settings, listener, Clock.systemUTC());
    }

    static CloseableWriteBacklog create(
            CqlSession session,
            BacklogStore store,
            StatementInspector inspector,
            BacklogSettings settings,
            BacklogListener listener,
            Clock clock) {
        HeldStatements held = new HeldStatements();
        BacklogListener guarded = BacklogListener.all(List.of(listener));
        EntryReplay entries = new EntryReplay(session, held, store, settings, guarded, clock);
        return new StoredWriteBacklog(
                new EntryMaker(session, inspector, settings.graceMargin()),
                held,
                store,
                new Replay(store, entries, settings),
                guarded,
                WriteTimestamps.of(session)::next);
    }
}
