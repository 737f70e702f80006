package io.surewrite.alledeals.item;

import static io.surewrite.retry.Idempotent.WhenExhausted.BACKLOG;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.alledeals.web.TimeIds;
import io.surewrite.retry.Idempotent;
import java.time.Clock;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.context.annotation.DependsOn;
import org.springframework.data.cassandra.core.CassandraBatchOperations;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.stereotype.Component;

/** How the listings follow the master table. It prepares its reads in time: without the database nobody can. */
@Component
@DependsOn("surewriteSchema")
class Listings {

    /** Conditional writes get their times from the server, each later than the one before: a version for free. */
    private static final String MASTER = """
            SELECT item_id, user_id, item_name, item_desc, unit_price, offered_units, available_units, start_date, end_date,
                   tags, auction_finished, writetime(available_units) AS version
            FROM cass_master_item WHERE item_id = ?
            """;

    /** The history never expires, so it tells how far the batch of an item has come. */
    private static final String LISTED_VERSION = """
            SELECT writetime(available_units) AS version
            FROM cass_user_item_history WHERE user_id = ? AND year_month = ? AND item_id = ?
            """;

    private final CassandraOperations cassandra;
    private final ListingTerm term;
    private final Clock clock;
    private final PreparedStatement master;
    private final PreparedStatement listedVersion;

    Listings(CassandraOperations cassandra, CqlSession session, ListingTerm term, Clock clock) {
        this.cassandra = cassandra;
        this.term = term;
        this.clock = clock;
        this.master = session.prepare(MASTER);
        this.listedVersion = session.prepare(LISTED_VERSION);
    }

    /** The item as it stands, if there is one. */
    @Idempotent
    Optional<State> lastState(UUID itemId) {
        return one(master.bind(itemId))
                .map(row -> new State(cassandra.getConverter().read(Item.class, row), row.getLong("version")));
    }

    /** Whether the listings show the last state of an item, or there is no such item. */
    boolean areUpToDate(UUID itemId) {
        return lastState(itemId)
                .filter(state -> listedVersion(state.item()) < state.version())
                .isEmpty();
    }

    /**
     * Writes every listing of an item in one batch. The batch carries the write time of the master's stock: run twice it
     * changes nothing, and run late it never covers what a newer one wrote. So it may wait in the backlog while the
     * database is away. A listing that has expired stays away; the history always follows.
     */
    @Idempotent(whenExhausted = BACKLOG)
    void write(State state) {
        Item item = state.item();
        CassandraBatchOperations batch = cassandra.batchOps(BatchType.LOGGED).withTimestamp(state.version());
        Duration left = term.left(item.startDate(), clock.instant());
        if (!left.isZero()) {
            InsertOptions expiring = InsertOptions.builder().ttl(left).build();
            batch.insert(UserItem.of(item), expiring);
            item.tags().forEach(tag -> batch.insert(TagItem.of(tag, item), expiring));
        }
        batch.insert(UserItemHistory.of(item)).execute();
    }

    private long listedVersion(Item item) {
        BoundStatement query =
                listedVersion.bind(item.sellerId(), monthOf(item.id()).toString(), item.id());
        return one(query).map(row -> row.getLong("version")).orElse(Long.MIN_VALUE);
    }

    private Optional<Row> one(Statement<?> query) {
        List<Row> rows = cassandra.getCqlOperations().query(query, (row, number) -> row);
        return rows.stream().findFirst();
    }

    /** The month, in UTC, in which an item's id was made. */
    static YearMonth monthOf(UUID itemId) {
        return YearMonth.from(TimeIds.instantOf(itemId).atOffset(ZoneOffset.UTC));
    }

    /** An item as it stood. */
    record State(Item item, long version) {}
}
