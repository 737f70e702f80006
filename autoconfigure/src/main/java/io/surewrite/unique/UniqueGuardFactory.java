package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.cql.settle.SerialConsistencyRow;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Makes {@link UniqueGuard}s over a session. */
public final class UniqueGuardFactory {

    private UniqueGuardFactory() {}

    /**
     * A guard with its claims in a table, which must exist when the first value is claimed.
     *
     * @param session the session; it stays open
     * @param writes how conditional writes run
     * @param claims the table of claims as CQL names it, with its keyspace where that is not the session's
     * @param values the table of values that are no columns of an entity, named likewise
     * @param settings how values are guarded
     * @param listener who is told what happens
     * @return the guard
     */
    public static UniqueGuard create(
            CqlSession session,
            ConditionalWrites writes,
            String claims,
            String values,
            UniqueSettings settings,
            UniqueListener listener) {
        CqlSession own = ConditionalProfile.DEFAULT.on(session);
        GuardParts parts = parts(own, new CassandraClaimStore(own, writes, claims, settings), settings, listener);
        Prepared prepared = new Prepared(own, values);
        return new ClaimingGuard(parts, constraint -> new CqlValueRows(own, prepared, constraint, null));
    }

    /**
     * Makes sure that everybody who writes a table of claims has lightweight transactions decided at the same level,
     * {@code SERIAL} or {@code LOCAL_SERIAL}. A row of the table remembers it. Without a clear answer of the cluster it
     * warns and returns.
     *
     * @param session the session
     * @param writes how conditional writes run
     * @param claims the table, as for {@link #create}
     * @param timeout how long to ask
     * @throws io.surewrite.cql.SerialConsistencyException if others use the other level
     */
    public static void requireOneSerialConsistency(
            CqlSession session, ConditionalWrites writes, String claims, Duration timeout) {
        String insert = "INSERT INTO %s (constraint_name, value, owner) VALUES ('%s', 'level', ?) IF NOT EXISTS"
                .formatted(claims, SerialConsistencyRow.NAME);
        new SerialConsistencyRow(
                        claims,
                        insert,
                        "owner",
                        "constraint_name = '%s' AND value = 'level'".formatted(SerialConsistencyRow.NAME),
                        "two rows could have one value")
                .require(session, writes, timeout);
    }

    /**
     * What looks after the claims of whole tables.
     *
     * @param session the session; it stays open
     * @param writes how conditional writes run
     * @param tables the tables of ours that it needs
     * @param settings how values are guarded
     * @param scans how tables are looked at
     * @param catalog the constraints that can be asked for
     * @param listener who is told what happens
     * @return the operations
     */
    public static UniqueConstraints constraints(
            CqlSession session,
            ConditionalWrites writes,
            UniqueTables tables,
            UniqueSettings settings,
            UniqueScanSettings scans,
            UniqueCatalog catalog,
            UniqueListener listener) {
        CqlSession own = ConditionalProfile.DEFAULT.on(session);
        CassandraClaimStore claims = new CassandraClaimStore(own, writes, tables.claims(), settings);
        return new CatalogedConstraints(own, parts(own, claims, settings, listener), claims, tables, scans, catalog);
    }

    private static GuardParts parts(
            CqlSession session, ClaimStore claims, UniqueSettings settings, UniqueListener listener) {
        return new GuardParts(
                claims,
                new SystemUniqueTime(WriteTimestamps.of(session), settings.skewMargin()),
                new UniqueRules(settings),
                settings,
                new ScopePins(UUID.randomUUID().getMostSignificantBits()),
                new SettledRows(),
                UUID::randomUUID,
                () -> ThreadLocalRandom.current().nextDouble(),
                listener);
    }
}
