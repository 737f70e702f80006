package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteTimestamps;
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
        GuardParts parts = new GuardParts(
                new CassandraClaimStore(session, writes, claims, settings),
                new SystemUniqueTime(WriteTimestamps.of(session)),
                new UniqueRules(settings),
                settings,
                new ScopePins(UUID.randomUUID().getMostSignificantBits()),
                UUID::randomUUID,
                () -> ThreadLocalRandom.current().nextDouble(),
                listener);
        Prepared prepared = new Prepared(session, values);
        return new ClaimingGuard(parts, constraint -> new CqlValueRows(session, prepared, constraint));
    }
}
