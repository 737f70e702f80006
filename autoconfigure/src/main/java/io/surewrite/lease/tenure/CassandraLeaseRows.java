package io.surewrite.lease.tenure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.cql.ConditionalWrite;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.tenure.LeaseRows.FreeRow;
import io.surewrite.lease.tenure.LeaseRows.Page;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** The rows of the table of leases in Cassandra, read page by page at a majority, and removed one by one. */
final class CassandraLeaseRows implements LeaseRows {

    private static final int PAGE_SIZE = 500;

    private static final String PAGE = """
            SELECT name, epoch, lease_id, write_ts, WRITETIME(epoch) AS acquired, WRITETIME(write_ts) AS touched,
                currentTimestamp() AS now
            FROM %s""";

    private static final String RAISE = """
            UPDATE %s SET epoch = :floor, payload = 'Not a lease: no removed row had a higher epoch'
            WHERE name = :name IF epoch = :expected""";

    private static final String REMOVE = """
            DELETE FROM %s WHERE name = :name IF lease_id = null AND epoch = :epoch""";

    private final CqlSession session;
    private final ConditionalWrites writes;
    private final PreparedOnce page;
    private final PreparedOnce raise;
    private final PreparedOnce remove;

    CassandraLeaseRows(CqlSession session, ConditionalWrites writes, String table) {
        this.session = session;
        this.writes = writes;
        this.page = new PreparedOnce(session, PAGE.formatted(table));
        this.raise = new PreparedOnce(session, RAISE.formatted(table));
        this.remove = new PreparedOnce(session, REMOVE.formatted(table));
    }

    @Override
    public CompletionStage<Page> first() {
        return page.get()
                .thenCompose(prepared -> session.executeAsync(prepared.boundStatementBuilder()
                        .setExecutionProfileName(ConditionalWrites.PROFILE)
                        .setPageSize(PAGE_SIZE)
                        .setIdempotence(true)
                        .build()))
                .thenApply(CassandraLeaseRows::page);
    }

    private static Page page(AsyncResultSet rows) {
        List<FreeRow> free = new ArrayList<>();
        for (Row row : rows.currentPage()) {
            // A row without an epoch is no lease; the floor is none either.
            if (row.isNull("lease_id") && !row.isNull("epoch") && !LeaseRequest.FLOOR_NAME.equals(nameOf(row))) {
                free.add(new FreeRow(nameOf(row), row.getLong("epoch"), untouched(row)));
            }
        }
        return new Page(
                free, rows.hasMorePages() ? () -> rows.fetchNextPage().thenApply(CassandraLeaseRows::page) : null);
    }

    private static String nameOf(Row row) {
        return Objects.requireNonNull(row.getString("name"));
    }

    /**
     * By the clocks of nodes, since this process' own may be wrong. A row is as young as the newest write that can have been
     * made under it, too: so none is removed that may still be the newer one of two.
     */
    private static Duration untouched(Row row) {
        long last = Math.max(row.getLong("acquired"), Math.max(row.getLong("touched"), row.getLong("write_ts")));
        Instant now = Objects.requireNonNull(row.getInstant("now"));
        return Duration.between(Instant.EPOCH.plus(last, ChronoUnit.MICROS), now);
    }

    @Override
    public CompletionStage<LeaseAnswer> raiseFloor(long expected, long floor, Duration timeout) {
        return CassandraLeaseStore.refusalsAsAnswers(raise.get().thenCompose(prepared -> {
            BoundStatement statement = prepared.boundStatementBuilder()
                    .setString("name", LeaseRequest.FLOOR_NAME)
                    .setLong("floor", floor)
                    .setLong("expected", expected)
                    .build();
            return run(
                    expected == 0 ? statement.setToNull("expected") : statement,
                    row -> CassandraLeaseStore.epochOf(row) >= floor,
                    timeout);
        }));
    }

    @Override
    public CompletionStage<LeaseAnswer> remove(String name, long epoch, Duration timeout) {
        return CassandraLeaseStore.refusalsAsAnswers(remove.get()
                .thenCompose(prepared -> run(
                        prepared.boundStatementBuilder()
                                .setString("name", name)
                                .setLong("epoch", epoch)
                                .build(),
                        row -> false,
                        timeout)));
    }

    private CompletionStage<LeaseAnswer> run(BoundStatement statement, Predicate<Row> mine, Duration timeout) {
        return writes.execute(new ConditionalWrite(statement, mine), timeout).thenApply(CassandraLeaseStore::answer);
    }
}
