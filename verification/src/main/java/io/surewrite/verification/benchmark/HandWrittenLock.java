package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.write.ConditionalWrites;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The lock that one writes by hand, without its faults: {@code INSERT IF NOT EXISTS USING TTL}, and {@code DELETE IF}. */
final class HandWrittenLock {

    private final CqlSession session;
    private final PreparedStatement insert;
    private final PreparedStatement delete;
    private final PreparedStatement acquire;
    private final PreparedStatement release;
    private final Map<String, Long> epochs = new ConcurrentHashMap<>();

    /** Makes its table, if need be. */
    HandWrittenLock(CqlSession session) {
        this.session = session;
        session.execute("CREATE TABLE IF NOT EXISTS hand_written (name text PRIMARY KEY, owner uuid)");
        insert = session.prepare("INSERT INTO hand_written (name, owner) VALUES (?, ?) IF NOT EXISTS USING TTL 30");
        delete = session.prepare("DELETE FROM hand_written WHERE name = ? IF owner = ?");
        session.execute(
                "CREATE TABLE IF NOT EXISTS hand_lease (name text PRIMARY KEY, epoch bigint, write_ts bigint, lease_id uuid, holder text)");
        acquire = session.prepare("""
                BEGIN BATCH
                UPDATE hand_lease SET epoch = ?, write_ts = ? WHERE name = ? IF lease_id = null AND epoch = ?;
                UPDATE hand_lease USING TTL 30 SET lease_id = ?, holder = 'by hand' WHERE name = ?;
                APPLY BATCH""");
        release = session.prepare("UPDATE hand_lease SET lease_id = null, write_ts = ? WHERE name = ? IF lease_id = ?");
    }

    /** The two requests of a lease, whose name has been used by this process only. */
    void lockAndUnlockAsOurs(String name) {
        UUID id = UUID.randomUUID();
        long now = System.currentTimeMillis();
        Long before = epochs.get(name);
        long epoch = before == null ? 1 : before + 1;
        if (!applied(acquire.bind(epoch, now, name, before, id, name)) || !applied(release.bind(now, name, id))) {
            throw new IllegalStateException("Another has the lock");
        }
        epochs.put(name, epoch);
    }

    /** Tries until it has the lock, at the cluster each time, and gives it back. */
    void lockAndUnlock(String name) {
        UUID owner = UUID.randomUUID();
        while (!applied(insert.bind(name, owner))) {
            Thread.onSpinWait();
        }
        applied(delete.bind(name, owner));
    }

    private boolean applied(BoundStatement statement) {
        return session.execute(statement.setExecutionProfileName(ConditionalWrites.PROFILE))
                .wasApplied();
    }
}
