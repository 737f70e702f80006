package io.surewrite.lease;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.internal.session.Prepared;
import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseRow;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteOutcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of leases in Cassandra. Its partitions take nothing but lightweight transactions: a plain write could lose to
 * one, or win over it, by a timestamp tie.
 *
 * <p>The epoch and {@code write_ts} stay for ever; lease id and holder go with the ttl. No statement writes a row marker, which would have a ttl of its own.
 */
final class CassandraLeaseStore implements LeaseStore {

    /**
     * Values are bound by their place, and encoded by the driver's own codecs: to look for each by its name, and for its codec,
     * takes a good part of the time before a statement leaves.
     */
    private static final String ACQUIRE = """
            BEGIN BATCH
            UPDATE %1$s SET epoch = ?, write_ts = ? WHERE name = ? IF lease_id = null AND epoch = ?;
            UPDATE %1$s USING TTL ? SET lease_id = ?, holder = ? WHERE name = ?;
            APPLY BATCH""";

    private static final String ACQUIRE_ABOVE_FLOOR = ACQUIRE.replace("epoch = ?;", "epoch = ? AND write_ts <= ?;");

    private static final String RENEW = """
            BEGIN BATCH
            UPDATE %1$s SET write_ts = ? WHERE name = ? IF lease_id IN ?;
            UPDATE %1$s USING TTL ? SET lease_id = ?, holder = ? WHERE name = ?;
            APPLY BATCH""";

    /** The holder stays until its ttl is over: without a lease id it says nothing, and each acquisition writes its own. */
    private static final String RELEASE = """
            UPDATE %1$s SET lease_id = null, write_ts = ? WHERE name = ? IF lease_id IN ?""";

    /** Nearly always there is one lease id, and the server compares with one faster than with a list. */
    private static final Map<String, String> OF_ONE = Stream.of(RENEW, RELEASE)
            .collect(Collectors.toUnmodifiableMap(Function.identity(), cql -> cql.replace("IN ?", "= ?")));

    private static final String READ = """
            SELECT epoch, lease_id, holder, write_ts, TTL(lease_id) AS seconds FROM %1$s WHERE name = :name""";

    /** A set is encoded as the list that the server takes for {@code IN}. */
    private static final TypeCodec<Set<UUID>> IDS = TypeCodecs.setOf(TypeCodecs.UUID);

    private final Prepared prepared;
    private final ConditionalWrites writes;

    CassandraLeaseStore(CqlSession session, ConditionalWrites writes, String table) {
        this.prepared = new Prepared(session, table);
        this.writes = writes;
    }

    // ---- one lease ----

    @Override
    public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
        String cql = claim.checksFloor() ? ACQUIRE_ABOVE_FLOOR : ACQUIRE;
        return write(cql, timeout, row -> claim.leaseId().equals(leaseIdOf(row)), values -> {
            values.add(encoded(claim.nextEpoch()));
            values.add(encoded(claim.reserved()));
            values.add(encoded(claim.name()));
            values.add(orNull(claim.expectedEpoch()));
            if (claim.checksFloor()) {
                values.add(encoded(claim.floor()));
            }
            addHeld(values, claim);
        });
    }

    @Override
    public CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseWrite claim, Duration timeout) {
        String cql = forIds(heldIds, RENEW);
        return write(cql, timeout, row -> claim.leaseId().equals(leaseIdOf(row)), values -> {
            values.add(encoded(claim.reserved()));
            values.add(encoded(claim.name()));
            values.add(encoded(heldIds));
            addHeld(values, claim);
        });
    }

    @Override
    public CompletionStage<LeaseAnswer> release(String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
        return write(forIds(heldIds, RELEASE), timeout, row -> false, values -> {
            values.add(encoded(writeTs));
            values.add(encoded(name));
            values.add(encoded(heldIds));
        });
    }

    private static String forIds(Set<UUID> ids, String cql) {
        return ids.size() == 1 ? Objects.requireNonNull(OF_ONE.get(cql)) : cql;
    }

    private static void addHeld(List<@Nullable ByteBuffer> values, LeaseWrite claim) {
        values.add(TypeCodecs.INT.encodePrimitive(Math.toIntExact(claim.ttl().toSeconds()), ProtocolVersion.DEFAULT));
        values.add(encoded(claim.leaseId()));
        values.add(encoded(claim.holder()));
        values.add(encoded(claim.name()));
    }

    @Override
    public CompletionStage<LeaseRow> read(String name) {
        return prepared.send(READ, unbound -> unbound.setString("name", name))
                .thenApply(AsyncResultSet::one)
                .thenApply(CassandraLeaseStore::leaseRow);
    }

    private static LeaseRow leaseRow(@Nullable Row row) {
        if (row == null) {
            return LeaseRow.ABSENT;
        }
        UUID leaseId = row.getUuid("lease_id");
        return new LeaseRow(
                row.getLong("epoch"),
                leaseId,
                leaseId == null ? null : row.getString("holder"),
                Duration.ofSeconds(row.getInt("seconds")),
                row.getLong("write_ts"));
    }

    // ---- what a row shows: a refusal has the columns of the condition alone ----

    private static @Nullable UUID leaseIdOf(Row row) {
        return row.getColumnDefinitions().contains("lease_id") ? row.getUuid("lease_id") : null;
    }

    private static @Nullable Long writeTsOf(Row row) {
        return row.getColumnDefinitions().contains("write_ts") ? row.getLong("write_ts") : null;
    }

    private static long epochOf(Row row) {
        return row.getColumnDefinitions().contains("epoch") ? row.getLong("epoch") : 0;
    }

    private static LeaseAnswer answer(WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Rejected rejected) {
            Row row = rejected.row();
            return row == null
                    ? new LeaseAnswer.Refused(0, null)
                    : new LeaseAnswer.Refused(epochOf(row), leaseIdOf(row), writeTsOf(row));
        }
        Throwable open = outcome instanceof WriteOutcome.Failed failed
                ? failed.cause()
                : outcome instanceof WriteOutcome.Unknown unknown ? unknown.cause() : null;
        return open == null ? new LeaseAnswer.Done() : new LeaseAnswer.Unclear(open);
    }

    /** What the cluster refuses, to prepare or to run, is not in effect; any other failure leaves that open. */
    private static LeaseAnswer failed(Throwable failure) {
        Throwable cause = DriverFailures.unwrapped(failure);
        return WriteFailures.ofConditional(failure) == FailureKind.WRONG_STATEMENT
                ? new LeaseAnswer.Denied(cause)
                : new LeaseAnswer.Unclear(cause);
    }

    /** Values are encoded where a failure to do so fails the stage, as with a text that is no Unicode. */
    private CompletionStage<LeaseAnswer> write(
            String cql, Duration timeout, Predicate<Row> isMine, Consumer<List<@Nullable ByteBuffer>> inOrder) {
        return prepared.get(cql)
                .thenCompose(
                        statement -> writes.execute(new ConditionalWrite(bound(statement, inOrder), isMine), timeout))
                .handle((outcome, failure) -> failure == null ? answer(outcome) : failed(failure));
    }

    private static BoundStatement bound(PreparedStatement statement, Consumer<List<@Nullable ByteBuffer>> inOrder) {
        List<@Nullable ByteBuffer> values = new ArrayList<>();
        inOrder.accept(values);
        BoundStatementBuilder bound = statement.boundStatementBuilder();
        for (int i = 0; i < values.size(); i++) {
            bound = bound.setBytesUnsafe(i, values.get(i));
        }
        return bound.build();
    }

    private static @Nullable ByteBuffer encoded(Set<UUID> ids) {
        return ids.size() == 1 ? encoded(ids.iterator().next()) : IDS.encode(ids, ProtocolVersion.DEFAULT);
    }

    private static @Nullable ByteBuffer encoded(String text) {
        return TypeCodecs.TEXT.encode(text, ProtocolVersion.DEFAULT);
    }

    private static @Nullable ByteBuffer encoded(UUID id) {
        return TypeCodecs.UUID.encode(id, ProtocolVersion.DEFAULT);
    }

    private static @Nullable ByteBuffer encoded(long number) {
        return TypeCodecs.BIGINT.encodePrimitive(number, ProtocolVersion.DEFAULT);
    }

    /** An epoch of a row that is not there is null. */
    private static @Nullable ByteBuffer orNull(long epoch) {
        return epoch == 0 ? null : encoded(epoch);
    }
}
