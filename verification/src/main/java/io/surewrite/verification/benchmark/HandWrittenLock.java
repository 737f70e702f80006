package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.write.ConditionalWrites;
import java.util.UUID;

/** The lock that one writes by hand, without its faults: {@code INSERT IF NOT EXISTS USING TTL}, and {@code DELETE IF}. */
final class HandWrittenLock {

    private final CqlSession session;
    private final PreparedStatement insert;
    private final PreparedStatement delete;

    /** Makes its table, if need be. */
    HandWrittenLock(CqlSession session) {
        this.session = session;
        session.execute("CREATE TABLE IF NOT EXISTS hand_written (name text PRIMARY KEY, owner uuid)");
        insert = session.prepare("INSERT INTO hand_written (name, owner) VALUES (?, ?) IF NOT EXISTS USING TTL 30");
        delete = session.prepare("DELETE FROM hand_written WHERE name = ? IF owner = ?");
    }

    /** Tries until it has the lock, at the cluster each time, and gives it back. */
    void lockAndUnlock(String name) {
        UUID owner = UUID.randomUUID();
        while (!lock(name, owner)) {
            Thread.onSpinWait();
        }
        unlock(name, owner);
    }

    /** Tries once. */
    boolean lock(String name, UUID owner) {
        return applied(insert.bind(name, owner));
    }

    void unlock(String name, UUID owner) {
        applied(delete.bind(name, owner));
    }

    private boolean applied(BoundStatement statement) {
        return session.execute(statement.setExecutionProfileName(ConditionalWrites.PROFILE))
                .wasApplied();
    }
}
