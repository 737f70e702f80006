package io.surewrite.verification.lease;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.cql.ConditionalWrites;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The statements of Surewrite's leases, in its table, by hand with the driver and without a failure in mind: what the
 * fencing token and the lease id cost at the server, without what Surewrite does in the client.
 */
final class SameStatements {

    private static final String ACQUIRE = """
            BEGIN BATCH
            UPDATE surewrite_lease SET epoch = :next_epoch, write_ts = :write_ts
                WHERE name = :name IF lease_id = null AND epoch = :epoch;
            UPDATE surewrite_lease USING TTL 30 SET lease_id = :lease_id, holder = 'by hand' WHERE name = :name;
            APPLY BATCH""";

    private static final String RELEASE = """
            UPDATE surewrite_lease SET lease_id = null, write_ts = :write_ts WHERE name = :name IF lease_id = :held_id""";

    private final Map<String, Long> epochs = new ConcurrentHashMap<>();
    private final CqlSession session;
    private final PreparedStatement acquire;
    private final PreparedStatement release;

    SameStatements(CqlSession session) {
        this.session = session;
        acquire = session.prepare(ACQUIRE);
        release = session.prepare(RELEASE);
    }

    void lockAndUnlock(String wanted) {
        String name = "same:" + wanted;
        UUID id = UUID.randomUUID();
        long epoch = epochs.getOrDefault(name, 0L);
        BoundStatementBuilder lock = acquire.boundStatementBuilder()
                .setString("name", name)
                .setUuid("lease_id", id)
                .setLong("next_epoch", epoch + 1)
                .setLong("write_ts", epoch + 1);
        execute(
                epoch == 0
                        ? lock.setToNull("epoch").build()
                        : lock.setLong("epoch", epoch).build());
        epochs.put(name, epoch + 1);
        execute(release.boundStatementBuilder()
                .setString("name", name)
                .setUuid("held_id", id)
                .setLong("write_ts", epoch + 1)
                .build());
    }

    private void execute(BoundStatement statement) {
        if (!session.execute(statement.setExecutionProfileName(ConditionalWrites.PROFILE))
                .wasApplied()) {
            throw new IllegalStateException(
                    "Not applied: " + statement.getPreparedStatement().getQuery());
        }
    }
}
