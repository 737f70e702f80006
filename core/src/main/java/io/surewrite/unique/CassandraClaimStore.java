package io.surewrite.unique;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.internal.lwt.ConditionalProfile;
import io.surewrite.internal.session.Prepared;
import io.surewrite.unique.ExistingRowClaims.ScannedClaim;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.WriteOutcome;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The table of claims in Cassandra. Its partitions take nothing but lightweight transactions. A claim stays for ever;
 * only its reservation, the column {@code lease}, has a TTL, in the second statement of the same conditional batch.
 *
 * <p>A rejected statement returns the columns of its condition alone, so conditions name what the caller needs to know,
 * even where the claim's id would decide by itself.
 */
record CassandraClaimStore(CqlSession session, ConditionalWrites writes, Prepared prepared, UniqueSettings settings)
        implements ClaimStore {

    private static final String KEY = " WHERE constraint_name = :constraint_name AND value = :value ";

    private static final String RESERVATION = "UPDATE %1$s USING TTL :seconds SET lease = true" + KEY + "; APPLY BATCH";

    private static final String CREATE = """
            BEGIN BATCH
            INSERT INTO %1$s (constraint_name, value, owner, claim_id, origin_id, write_ts)
                VALUES (:constraint_name, :value, :owner, :claim_id, :origin_id, :write_ts) IF NOT EXISTS;
            """ + RESERVATION;

    private static final String RAISE = "BEGIN BATCH UPDATE %1$s SET claim_id = :claim_id, write_ts = :write_ts" + KEY
            + "IF owner = :owner AND write_ts < :write_ts AND claim_id != :claim_id; " + RESERVATION;

    private static final String RAISE_ORIGIN = RAISE.replace("IF owner", "IF origin_id = :origin_id AND owner");

    private static final String JOIN = "UPDATE %1$s SET claim_id = :claim_id" + KEY + "IF claim_id = :seen_id";

    private static final String TAKE = """
            BEGIN BATCH
            UPDATE %1$s SET owner = :owner, claim_id = :claim_id, origin_id = :origin_id, write_ts = :write_ts
            """ + KEY + "IF claim_id = :seen_id AND lease = null; " + RESERVATION;

    private static final String WITHDRAW = "DELETE FROM %1$s" + KEY + "IF claim_id = :claim_id";

    private static final String RELEASE = "DELETE FROM %1$s" + KEY + "IF owner = :owner AND write_ts < :below";

    private static final String PROTECT = "UPDATE %1$s SET claim_id = :claim_id, write_ts = :write_ts" + KEY
            + "IF owner = :owner AND lease = null AND write_ts < :write_ts AND claim_id != :claim_id";

    private static final String ADOPT = """
            INSERT INTO %1$s (constraint_name, value, owner, claim_id, write_ts)
            VALUES (:constraint_name, :value, :owner, :claim_id, :write_ts) IF NOT EXISTS""";

    private static final String FENCE =
            "UPDATE %1$s SET owner = :owner, claim_id = :claim_id, write_ts = :write_ts, fence = :write_ts" + KEY
                    + "IF claim_id = null AND write_ts = null AND lease = null";

    private static final String RAISE_FENCE =
            "UPDATE %1$s SET claim_id = :claim_id, write_ts = :write_ts, fence = :write_ts" + KEY
                    + "IF claim_id = :seen_id";

    private static final String READ =
            "SELECT owner, claim_id, origin_id, write_ts, lease, TTL(lease) AS seconds FROM %1$s" + KEY;

    private static final String READ_FENCE = "SELECT fence FROM %1$s" + KEY;

    /** The name cannot be a condition: it is only a part of the partition key. */
    private static final String SCAN = """
            SELECT constraint_name, value, owner, claim_id, origin_id, write_ts, lease FROM %1$s
            WHERE token(constraint_name, value) > :after AND token(constraint_name, value) <= :upto""";

    CassandraClaimStore(CqlSession session, ConditionalWrites writes, String table, UniqueSettings settings) {
        this(session, writes, new Prepared(session, table), settings);
    }

    @Override
    public CompletionStage<ClaimAnswer> create(ClaimKey key, Claim claim) {
        return run(CREATE, key, bound -> reserved(whole(bound, claim)), claim.claimId());
    }

    @Override
    public CompletionStage<ClaimAnswer> raise(ClaimKey key, Claim claim) {
        return claim.originId() == null
                ? run(RAISE, key, bound -> reserved(owned(bound, claim)), claim.claimId())
                : run(RAISE_ORIGIN, key, bound -> reserved(whole(bound, claim)), claim.claimId());
    }

    @Override
    public CompletionStage<ClaimAnswer> join(ClaimKey key, UUID seen, UUID claimId) {
        return run(JOIN, key, bound -> bound.setUuid("claim_id", claimId).setUuid("seen_id", seen), claimId);
    }

    @Override
    public CompletionStage<ClaimAnswer> take(ClaimKey key, UUID seen, Claim claim) {
        return run(TAKE, key, bound -> reserved(whole(bound, claim)).setUuid("seen_id", seen), claim.claimId());
    }

    @Override
    public CompletionStage<ClaimAnswer> withdraw(ClaimKey key, UUID claimId) {
        return run(WITHDRAW, key, bound -> bound.setUuid("claim_id", claimId), null);
    }

    @Override
    public CompletionStage<ClaimAnswer> release(ClaimKey key, String owner, long below) {
        return run(RELEASE, key, bound -> bound.setString("owner", owner).setLong("below", below), null);
    }

    @Override
    public CompletionStage<ClaimAnswer> protect(ClaimKey key, Claim claim) {
        return run(PROTECT, key, bound -> owned(bound, claim), claim.claimId());
    }

    @Override
    public CompletionStage<ClaimAnswer> adopt(ClaimKey key, Claim claim) {
        return run(ADOPT, key, bound -> owned(bound, claim), claim.claimId());
    }

    @Override
    public CompletionStage<ClaimAnswer> fence(ClaimKey row, Claim claim) {
        return run(FENCE, row, bound -> owned(bound, claim), claim.claimId());
    }

    @Override
    public CompletionStage<ClaimAnswer> raiseFence(ClaimKey row, UUID seen, Claim claim) {
        return run(
                RAISE_FENCE,
                row,
                bound -> bound.setUuid("claim_id", claim.claimId())
                        .setLong("write_ts", claim.writeTs())
                        .setUuid("seen_id", seen),
                claim.claimId());
    }

    @Override
    public CompletionStage<Optional<SeenClaim>> read(ClaimKey key) {
        return prepared.send(READ, bound -> keyed(bound, key))
                .thenApply(answer -> Optional.ofNullable(answer.one()).map(CassandraClaimStore::seen));
    }

    @Override
    public CompletionStage<Long> readFence(ClaimKey row) {
        ConsistencyLevel serial = ConditionalProfile.serialLevel(session);
        return prepared.send(READ_FENCE, bound -> keyed(bound, row).setConsistencyLevel(serial))
                .thenApply(answer -> {
                    Row found = answer.one();
                    return found == null || found.isNull("fence") ? RowSnapshot.NEVER : found.getLong("fence");
                });
    }

    CompletionStage<BoundStatement> selectRange(long after, long upto, int pageSize) {
        return prepared.bound(
                SCAN,
                bound -> bound.setLong("after", after).setLong("upto", upto).setPageSize(pageSize));
    }

    /** {@return a row that {@link #selectRange} showed, if it is a claim of the constraint} */
    static Optional<ScannedClaim> scanned(Row row, String constraint) {
        return constraint.equals(row.getString("constraint_name")) && has(row, "owner")
                ? Optional.of(new ScannedClaim(
                        new ClaimKey(constraint, Objects.requireNonNull(row.getString("value"))), seen(row)))
                : Optional.empty();
    }

    /** Where it meets the id that is its own, an earlier run of the same statement was applied. */
    private CompletionStage<ClaimAnswer> run(
            String cql, ClaimKey key, UnaryOperator<BoundStatementBuilder> values, @Nullable UUID mine) {
        return prepared.get(cql).thenCompose(statement -> {
            BoundStatement bound =
                    values.apply(keyed(statement.boundStatementBuilder(), key)).build();
            Predicate<Row> isMine = row -> mine != null && mine.equals(id(row));
            return writes.execute(new ConditionalWrite(bound, isMine), settings.attemptTimeout())
                    .thenApply(CassandraClaimStore::answer);
        });
    }

    private static BoundStatementBuilder keyed(BoundStatementBuilder bound, ClaimKey key) {
        return bound.setString("constraint_name", key.constraint()).setString("value", key.value());
    }

    private BoundStatementBuilder reserved(BoundStatementBuilder bound) {
        return bound.setInt("seconds", Math.toIntExact(settings.lease().toSeconds()));
    }

    private static BoundStatementBuilder owned(BoundStatementBuilder bound, Claim claim) {
        return bound.setUuid("claim_id", claim.claimId())
                .setLong("write_ts", claim.writeTs())
                .setString("owner", claim.owner());
    }

    private static BoundStatementBuilder whole(BoundStatementBuilder bound, Claim claim) {
        return owned(bound, claim).setUuid("origin_id", claim.originId());
    }

    private static ClaimAnswer answer(WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Rejected rejected) {
            Row row = rejected.row();
            return new ClaimAnswer.Refused(row == null || isEmpty(row) ? null : seen(row));
        }
        RuntimeException unclear = outcome.cause();
        return unclear == null ? new ClaimAnswer.Done() : new ClaimAnswer.Unclear(unclear);
    }

    /** Where a condition names columns, an absent row may return them as nulls. */
    private static boolean isEmpty(Row row) {
        return !has(row, "owner") && id(row) == null;
    }

    private static SeenClaim seen(Row row) {
        boolean shown = has(row, "owner");
        return new SeenClaim(
                new Claim(
                        shown ? Objects.requireNonNull(row.getString("owner")) : "",
                        Objects.requireNonNullElse(id(row), new UUID(0, 0)),
                        has(row, "origin_id") ? row.getUuid("origin_id") : null,
                        has(row, "write_ts") ? row.getLong("write_ts") : 0),
                has(row, "lease") && row.getBoolean("lease"),
                has(row, "seconds") ? Duration.ofSeconds(row.getInt("seconds")) : Duration.ZERO);
    }

    private static @Nullable UUID id(Row row) {
        return has(row, "claim_id") ? row.getUuid("claim_id") : null;
    }

    private static boolean has(Row row, String column) {
        return row.getColumnDefinitions().contains(column) && !row.isNull(column);
    }
}
