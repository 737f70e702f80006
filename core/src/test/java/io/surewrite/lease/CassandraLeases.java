package io.surewrite.lease;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.lwt.SettlingConditionalWrites;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.write.ConditionalWrites;

/** Leases on a session, for tests. */
final class CassandraLeases {

    private final CqlSession session;

    CassandraLeases(CqlSession session) {
        this.session = session;
        session.execute("""
            CREATE TABLE IF NOT EXISTS surewrite_lease (
                name text PRIMARY KEY, epoch bigint, lease_id uuid, holder text,
                write_ts bigint)\
            """);
    }

    ConditionalWrites writes() {
        return SettlingConditionalWrites.on(session, ObservationRegistry.NOOP);
    }

    CloseableLeaseLocks process(LeaseSettings settings, LeaseEvents events) {
        return LeaseLocksFactory.create(session, writes(), "surewrite_lease", settings, events);
    }

    /** Takes whoever holds a name out of the table, by a conditional write as it must be. */
    void clear(String name) {
        session.execute(SimpleStatement.newInstance(
                "DELETE lease_id, holder FROM surewrite_lease WHERE name = ? IF EXISTS", name));
    }
}
