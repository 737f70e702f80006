package io.surewrite.lease.tenure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.cql.ConditionalWrite;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.DriverFailures;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteFailures;
import io.surewrite.cql.WriteOutcome;
import io.surewrite.lease.LeaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The table of leases in Cassandra. Its partitions take nothing but lightweight transactions: a plain write could lose to
 * one, or win over it, by a timestamp tie.
 *
 * <p>The epoch stays until {@link LeaseSweep} removes the row, and so does {@code write_ts}; lease id, holder and payload
 * go with the ttl. No statement writes a row marker, which would have a ttl of its own.
 */
final class CassandraLeaseStore implements LeaseStore {

    private static final String ACQUIRE = """
            BEGIN BATCH
            UPDATE %1$s SET epoch = :next_epoch, write_ts = :write_ts
                WHERE name = :name IF lease_id = null AND epoch = :epoch%2$s;
            UPDATE %1$s USING TTL :seconds SET lease_id = :lease_id, holder = :holder, payload = :payload
                WHERE name = :name;
            APPLY BATCH""";

    private static final String ABOVE_FLOOR = " AND write_ts <= :floor";

    private static final String RENEW = """
            BEGIN BATCH
            UPDATE %1$s SET write_ts = :write_ts WHERE name = :name IF lease_id IN :held_ids;
            UPDATE %1$s USING TTL :seconds SET lease_id = :lease_id, holder = :holder, payload = :payload
                WHERE name = :name;
            APPLY BATCH""";

    private static final String RELEASE = """
            UPDATE %1$s SET lease_id = null, holder = null, payload = null, write_ts = :write_ts
            WHERE name = :name IF lease_id IN :held_ids""";

    private static final String END = """
            UPDATE %1$s SET epoch = :epoch, lease_id = null, holder = null, payload = null, write_ts = :write_ts
            WHERE name = :name IF lease_id IN :held_ids""";

    private static final String READ = """
            SELECT epoch, lease_id, holder, payload, write_ts, TTL(lease_id) AS seconds FROM %1$s WHERE name = :name""";

    private final CqlSession session;
    private final ConditionalWrites writes;
    private final PreparedOnce acquire;
    private final PreparedOnce acquireAboveFloor;
    private final PreparedOnce renew;
    private final PreparedOnce release;
    private final PreparedOnce end;
    private final PreparedOnce read;

    /**
     * @param table the table's name as CQL, with its keyspace where it is not the session's
     */
    CassandraLeaseStore(CqlSession session, ConditionalWrites writes, String table) {
        this.session = session;
        this.writes = writes;
        this.acquire = new PreparedOnce(session, ACQUIRE.formatted(table, ""));
        this.acquireAboveFloor = new PreparedOnce(session, ACQUIRE.formatted(table, ABOVE_FLOOR));
        this.renew = new PreparedOnce(session, RENEW.formatted(table));
        this.release = new PreparedOnce(session, RELEASE.formatted(table));
        this.end = new PreparedOnce(session, END.formatted(table));
        this.read = new PreparedOnce(session, READ.formatted(table));
    }

    @Override
    public CompletionStage<LeaseAnswer> acquire(LeaseClaim claim, Duration timeout) {
        PreparedOnce text = claim.checksFloor() ? acquireAboveFloor : acquire;
        return refusalsAsAnswers(text.get().thenCompose(prepared -> {
            BoundStatementBuilder bound =
                    bound(prepared.boundStatementBuilder(), claim).setLong("next_epoch", claim.nextEpoch());
            if (claim.checksFloor()) {
                bound = bound.setLong("floor", claim.floor());
            }
            BoundStatementBuilder statement = claim.expectedEpoch() == 0
                    ? bound.setToNull("epoch")
                    : bound.setLong("epoch", claim.expectedEpoch());
            return run(statement.build(), holds(claim.leaseId()), timeout);
        }));
    }

    @Override
    public CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseClaim claim, Duration timeout) {
        return refusalsAsAnswers(renew.get()
                .thenCompose(prepared -> run(
                        bound(prepared.boundStatementBuilder(), claim)
                                .setList("held_ids", List.copyOf(heldIds), UUID.class)
                                .build(),
                        holds(claim.leaseId()),
                        timeout)));
    }

    @Override
    public CompletionStage<LeaseAnswer> release(String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
        return refusalsAsAnswers(release.get()
                .thenCompose(prepared -> run(
                        prepared.boundStatementBuilder()
                                .setString("name", name)
                                .setList("held_ids", List.copyOf(heldIds), UUID.class)
                                .setLong("write_ts", writeTs)
                                .build(),
                        row -> false,
                        timeout)));
    }

    @Override
    public CompletionStage<LeaseAnswer> release(LeaseClaim held, Set<UUID> heldIds, long writeTs, Duration timeout) {
        if (held.isProven()) {
            return release(held.name(), heldIds, writeTs, timeout);
        }
        return refusalsAsAnswers(end.get()
                .thenCompose(prepared -> run(
                        prepared.boundStatementBuilder()
                                .setString("name", held.name())
                                .setLong("epoch", held.lastEpoch())
                                .setLong("write_ts", writeTs)
                                .setList("held_ids", List.copyOf(heldIds), UUID.class)
                                .build(),
                        row -> false,
                        timeout)));
    }

    @Override
    public CompletionStage<Long> floor() {
        // A sweep goes on when a majority has the floor, and so a majority shows it.
        return read(LeaseRequest.FLOOR_NAME).thenApply(LeaseRow::epoch);
    }

    @Override
    public CompletionStage<LeaseRow> read(String name) {
        return read.get()
                .thenCompose(prepared -> session.executeAsync(prepared.boundStatementBuilder()
                        .setString("name", name)
                        .setExecutionProfileName(ConditionalWrites.PROFILE)
                        .setIdempotence(true)
                        .build()))
                .thenApply(AsyncResultSet::one)
                .thenApply(CassandraLeaseStore::leaseRow);
    }

    private CompletionStage<LeaseAnswer> run(BoundStatement statement, Predicate<Row> mine, Duration timeout) {
        return writes.execute(new ConditionalWrite(statement, mine), timeout).thenApply(CassandraLeaseStore::answer);
    }

    /** What the cluster refuses, to prepare or to run, is not in effect; any other failure leaves that open. */
    static CompletionStage<LeaseAnswer> refusalsAsAnswers(CompletionStage<LeaseAnswer> statement) {
        return statement.exceptionally(failure -> WriteFailures.ofConditional(failure) == FailureKind.WRONG_STATEMENT
                ? new LeaseAnswer.Denied(DriverFailures.unwrapped(failure))
                : new LeaseAnswer.Unclear(DriverFailures.unwrapped(failure)));
    }

    private static BoundStatementBuilder bound(BoundStatementBuilder unbound, LeaseClaim claim) {
        BoundStatementBuilder statement = unbound.setString("name", claim.name())
                .setUuid("lease_id", claim.leaseId())
                .setString("holder", claim.holder())
                .setLong("write_ts", claim.reserved())
                .setInt("seconds", Math.toIntExact(claim.ttl().toSeconds()));
        String payload = claim.payload();
        // Left unset without a payload: nothing stands there, and null would be a tombstone.
        return payload == null ? statement : statement.setString("payload", payload);
    }

    private static Predicate<Row> holds(UUID leaseId) {
        return row -> leaseId.equals(leaseIdOf(row));
    }

    static LeaseAnswer answer(WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Rejected rejected) {
            Row row = rejected.row();
            return row == null
                    ? new LeaseAnswer.Refused(0, null)
                    : new LeaseAnswer.Refused(epochOf(row), leaseIdOf(row), writeTsOf(row));
        }
        if (outcome instanceof WriteOutcome.Failed failed) {
            return new LeaseAnswer.Unclear(failed.cause());
        }
        if (outcome instanceof WriteOutcome.Unknown unknown) {
            return new LeaseAnswer.Unclear(unknown.cause());
        }
        return new LeaseAnswer.Done();
    }

    private static LeaseRow leaseRow(@Nullable Row row) {
        return row == null
                ? LeaseRow.ABSENT
                : new LeaseRow(
                        row.getLong("epoch"),
                        row.getUuid("lease_id"),
                        row.getString("holder"),
                        row.getString("payload"),
                        Duration.ofSeconds(row.getInt("seconds")),
                        row.getLong("write_ts"));
    }

    private static @Nullable UUID leaseIdOf(Row row) {
        return row.getColumnDefinitions().contains("lease_id") ? row.getUuid("lease_id") : null;
    }

    private static @Nullable Long writeTsOf(Row row) {
        return row.getColumnDefinitions().contains("write_ts") ? row.getLong("write_ts") : null;
    }

    static long epochOf(Row row) {
        return row.getColumnDefinitions().contains("epoch") ? row.getLong("epoch") : 0;
    }
}
