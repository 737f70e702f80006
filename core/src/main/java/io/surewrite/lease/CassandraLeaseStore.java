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
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of leases in Cassandra. Its partitions take nothing but lightweight transactions: a plain write could lose to
 * one, or win over it, by a timestamp tie. No statement writes a row marker, which would have a ttl of its own.
 *
 * <p>The epoch and {@code write_ts} stay for ever; lease id and holder go with the ttl: so each is set by its own {@code UPDATE}.
 */
record CassandraLeaseStore(Prepared prepared, ConditionalWrites writes) implements LeaseStore {

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

    private static final TypeCodec<Set<UUID>> IDS = TypeCodecs.setOf(TypeCodecs.UUID);

    CassandraLeaseStore(CqlSession session, ConditionalWrites writes, String table) {
        this(new Prepared(session, table), writes);
    }

    // ---- one lease ----

    @Override
    public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(claim.nextEpoch());
        values.add(claim.reserved());
        values.add(claim.name());
        values.add(claim.expectedEpoch() == 0 ? null : claim.expectedEpoch()); // that of a row that is not there
        if (claim.checksFloor()) {
            values.add(claim.floor());
        }
        return writeHeld(claim.checksFloor() ? ACQUIRE_ABOVE_FLOOR : ACQUIRE, timeout, claim, values);
    }

    @Override
    public CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseWrite claim, Duration timeout) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(claim.reserved());
        values.add(claim.name());
        values.add(idOrList(heldIds));
        return writeHeld(forIds(heldIds, RENEW), timeout, claim, values);
    }

    @Override
    public CompletionStage<LeaseAnswer> release(String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
        return write(forIds(heldIds, RELEASE), timeout, row -> false, writeTs, name, idOrList(heldIds));
    }

    private static String forIds(Set<UUID> ids, String cql) {
        return ids.size() == 1 ? Objects.requireNonNull(OF_ONE.get(cql)) : cql;
    }

    /** A set is encoded as the list that the server takes for {@code IN}. */
    private static Object idOrList(Set<UUID> ids) {
        return ids.size() == 1 ? ids.iterator().next() : IDS.encode(ids, ProtocolVersion.DEFAULT);
    }

    private CompletionStage<LeaseAnswer> writeHeld(
            String cql, Duration timeout, LeaseWrite claim, List<@Nullable Object> values) {
        values.add(Math.toIntExact(claim.ttl().toSeconds()));
        values.add(claim.leaseId());
        values.add(claim.holder());
        values.add(claim.name());
        return write(cql, timeout, row -> claim.leaseId().equals(shown(row, "lease_id", UUID.class)), values.toArray());
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

    private static <T> @Nullable T shown(Row row, String column, Class<T> type) {
        return row.getColumnDefinitions().contains(column) ? row.get(column, type) : null;
    }

    private static LeaseAnswer answer(WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Rejected rejected) {
            Row row = rejected.row();
            if (row == null) {
                return new LeaseAnswer.Refused(0, null, null);
            }
            Long epoch = shown(row, "epoch", Long.class);
            return new LeaseAnswer.Refused(
                    epoch == null ? 0 : epoch, shown(row, "lease_id", UUID.class), shown(row, "write_ts", Long.class));
        }
        Throwable open = outcome.cause();
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
            String cql, Duration timeout, Predicate<Row> isMine, @Nullable Object... inOrder) {
        return prepared.get(cql)
                .thenCompose(
                        statement -> writes.execute(new ConditionalWrite(bound(statement, inOrder), isMine), timeout))
                .handle((outcome, failure) -> failure == null ? answer(outcome) : failed(failure));
    }

    /** By place, and with codecs that are known: to look for each takes a good part of the time until it leaves. */
    private static BoundStatement bound(PreparedStatement statement, @Nullable Object... inOrder) {
        BoundStatementBuilder bound = statement.boundStatementBuilder();
        for (int i = 0; i < inOrder.length; i++) {
            bound = bound.setBytesUnsafe(i, encoded(inOrder[i]));
        }
        return bound.build();
    }

    private static @Nullable ByteBuffer encoded(@Nullable Object value) {
        if (value instanceof Long number) {
            return TypeCodecs.BIGINT.encodePrimitive(number, ProtocolVersion.DEFAULT);
        }
        if (value instanceof Integer seconds) {
            return TypeCodecs.INT.encodePrimitive(seconds, ProtocolVersion.DEFAULT);
        }
        if (value instanceof UUID id) {
            return TypeCodecs.UUID.encode(id, ProtocolVersion.DEFAULT);
        }
        return value instanceof ByteBuffer known
                ? known
                : TypeCodecs.TEXT.encode((String) value, ProtocolVersion.DEFAULT);
    }
}
