package io.surewrite.journal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.settle.ConditionalProfile;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/** Makes journals, for applications that have more sessions than the one that is auto-configured. */
public final class JournalFactory {

    private static final String SETTINGS = "settings";

    private JournalFactory() {}

    /**
     * Makes a journal, and makes sure that all who use its tables have the same settings. A row of the second table
     * remembers them.
     *
     * @param session prepares the statements
     * @param operations runs them
     * @param writes how conditional writes run
     * @param journal the table of the entries, with its keyspace
     * @param state the table of the newest entries, with its keyspace
     * @param closed whether no process uses the tables that knows their first version only
     * @param settings how it is kept
     * @param listener hears how wide partitions get
     * @return the journal, thread-safe
     * @throws JournalException if others use other settings
     * @throws io.surewrite.cql.UnknownOutcomeException if the cluster did not say what others use
     */
    public static AttributeJournal create(
            CqlSession session,
            CqlOperations operations,
            ConditionalWrites writes,
            String journal,
            String state,
            BooleanSupplier closed,
            JournalSettings settings,
            JournalListener listener) {
        JournalStore store = new JournalStore(session, operations, writes, journal, state, settings.consistency());
        requireOneSetting(store, session, state, settings);
        return create(store, state, closed, settings, JournalSettings.WIDEST_PARTITION, listener, Clock.systemUTC());
    }

    static AttributeJournal create(
            JournalStore store,
            String state,
            BooleanSupplier closed,
            JournalSettings settings,
            long widest,
            JournalListener listener,
            Clock clock) {
        AtomicBoolean seen = new AtomicBoolean();
        BooleanSupplier remembered = () -> {
            if (!seen.get() && closed.getAsBoolean()) {
                seen.set(true); // a table is never opened again
            }
            return seen.get();
        };
        TimeToLive ttl = new TimeToLive(settings.timeToLive(), clock);
        Buckets buckets = new Buckets(
                store, settings.bucketLength(), ttl, widest, remembered, JournalListener.all(List.of(listener)), clock);
        return new CassandraAttributeJournal(
                store, buckets, ttl, remembered, "ALTER TABLE " + state + " ADD needs_2 boolean;", clock);
    }

    private static void requireOneSetting(
            JournalStore store, CqlSession session, String state, JournalSettings settings) {
        String mine = describe(session, settings);
        String agreed = store.agreed(JournalInput.RESERVED, SETTINGS, mine);
        if (!agreed.equals(mine)) {
            throw new JournalException(("The journal in %s is kept with %s, but this application is configured for %s."
                            + " Set surewrite.journal.entries-a-month, consistency and time-to-live, and"
                            + " surewrite.conditional.serial-consistency, as all others have them. To change them for"
                            + " all, stop all applications that use the journal, run%n%nDELETE FROM %s WHERE entity ="
                            + " '%s' AND kind = '!' AND name = '%s' IF EXISTS;%n%nand start them with the new values.")
                    .formatted(state, agreed, mine, state, JournalInput.RESERVED, SETTINGS));
        }
    }

    private static String describe(CqlSession session, JournalSettings settings) {
        ConsistencyLevel level = settings.consistency();
        String serial = ConditionalProfile.of(session)
                .getString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY)
                .toUpperCase(Locale.ROOT);
        boolean local = level.isDcLocal() || serial.equals(ConsistencyLevel.LOCAL_SERIAL.name());
        return "buckets of a %s, consistency %s and %s%s, time to live %s"
                .formatted(
                        settings.bucketLength(),
                        level,
                        serial,
                        local ? " in " + localDatacenter(session) : "",
                        settings.timeToLive());
    }

    private static String localDatacenter(CqlSession session) {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getDistance() == NodeDistance.LOCAL)
                .map(node -> node.getDatacenter())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
    }
}
