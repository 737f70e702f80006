package io.surewrite.journal;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Clock;
import java.util.List;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/** Makes journals, for applications that have more sessions than the one that is auto-configured. */
public final class JournalFactory {

    private JournalFactory() {}

    /**
     * Makes a journal.
     *
     * @param session prepares the statements
     * @param operations runs them
     * @param journal the table of the entries, with its keyspace
     * @param state the table of the newest entries, with its keyspace
     * @param settings how it is kept
     * @param listener hears how wide partitions get
     * @return the journal, thread-safe
     */
    public static AttributeJournal create(
            CqlSession session,
            CqlOperations operations,
            String journal,
            String state,
            JournalSettings settings,
            JournalListener listener) {
        return create(session, operations, journal, state, settings, listener, Clock.systemUTC());
    }

    static AttributeJournal create(
            CqlSession session,
            CqlOperations operations,
            String journal,
            String state,
            JournalSettings settings,
            JournalListener listener,
            Clock clock) {
        JournalStore store = new JournalStore(session, operations, journal, state, settings.consistency());
        Buckets buckets = new Buckets(store, settings.bucketLength(), JournalListener.all(List.of(listener)));
        return new CassandraAttributeJournal(store, buckets, settings.bucketLength(), clock);
    }
}
