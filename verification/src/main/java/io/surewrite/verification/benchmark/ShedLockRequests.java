package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.write.ConditionalWrites;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What ShedLock 7's Cassandra provider asks the cluster for, once a lock's row is there: a read and a conditional update to
 * lock, a conditional update to unlock. The provider itself sends literal values, which the server parses anew each time;
 * prepared, as here, the same requests are a little faster.
 */
final class ShedLockRequests {

    private static final Duration AT_MOST = Duration.ofSeconds(30);
    private static final String HOST = "host";

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final CqlSession session;
    private final PreparedStatement insert;
    private final PreparedStatement read;
    private final PreparedStatement lock;
    private final PreparedStatement unlock;

    ShedLockRequests(CqlSession session) {
        this.session = session;
        session.execute("CREATE TABLE IF NOT EXISTS shed_lock"
                + " (name text PRIMARY KEY, lock_until timestamp, locked_at timestamp, locked_by text)");
        insert = session.prepare("INSERT INTO shed_lock (name, lock_until) VALUES (?, ?) IF NOT EXISTS");
        read = session.prepare("SELECT lock_until, locked_at, locked_by FROM shed_lock WHERE name = ?");
        lock = session.prepare("UPDATE shed_lock SET lock_until = ?, locked_at = ?, locked_by = ? WHERE name = ?"
                + " IF lock_until < ?");
        unlock = session.prepare(
                "UPDATE shed_lock SET lock_until = ? WHERE name = ? IF lock_until >= ?" + " AND locked_by = ?");
    }

    /** Locks a name that nobody else wants, and unlocks it. */
    void lockAndUnlock(String name) {
        if (names.add(name)) {
            execute(insert.bind(name, Instant.EPOCH));
        }
        execute(read.bind(name));
        // Its clock counts milliseconds; one that ends now could be taken again in the next only.
        Instant now = Instant.now().plusMillis(1);
        execute(lock.bind(now.plus(AT_MOST), now, HOST, name, now));
        execute(unlock.bind(now.minusMillis(1), name, now, HOST));
    }

    private void execute(BoundStatement statement) {
        if (!session.execute(statement.setExecutionProfileName(ConditionalWrites.PROFILE))
                .wasApplied()) {
            throw new IllegalStateException(
                    "Another locked it: " + statement.getPreparedStatement().getQuery());
        }
    }
}
