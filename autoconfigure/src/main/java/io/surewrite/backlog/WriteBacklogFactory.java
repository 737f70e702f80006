package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlSession;
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

    /**
     * A backlog for several sessions: each entry is replayed to the session that it was kept for, and to no other.
     *
     * @param sessions the sessions, the primary one first; their names differ
     * @param store where writes are kept; closed with the backlog
     * @param settings how it behaves
     * @param listener who is told what happens
     * @return the backlog, which itself is that of the first session
     */
    public static CloseableWriteBacklog create(
            List<BacklogSession> sessions, BacklogStore store, BacklogSettings settings, BacklogListener listener) {
        return new StoredWriteBacklog(sessions, store, settings, listener, Clock.systemUTC());
    }

    static CloseableWriteBacklog create(
            CqlSession session,
            BacklogStore store,
            StatementInspector inspector,
            BacklogSettings settings,
            BacklogListener listener,
            Clock clock) {
        return new StoredWriteBacklog(
                List.of(new BacklogSession("", session, inspector)), store, settings, listener, clock);
    }
}
