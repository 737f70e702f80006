package io.surewrite.alledeals.item;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.alledeals.web.TimeIds;
import java.time.Clock;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.cassandra.core.CassandraOperations;

/** Found by Spring Data by its name. */
class ListingsImpl implements Listings {

    /** Conditional writes get their times from the server, each later than the one before: a version for free. */
    private static final String MASTER = """
            SELECT item_id, user_id, item_name, item_desc, unit_price, offered_units, available_units, start_date, end_date,
                   tags, auction_finished, writetime(available_units) AS version
            FROM cass_master_item WHERE item_id = ?
            """;

    private static final String USER_ITEM = """
            INSERT INTO cass_user_item
                (user_id, item_id, item_name, unit_price, available_units, end_date, auction_finished)
            VALUES (:user_id, :item_id, :item_name, :unit_price, :available_units, :end_date, :auction_finished)
            USING TTL :ttl
            """;

    private static final String USER_ITEM_HISTORY = """
            INSERT INTO cass_user_item_history
                (user_id, year_month, item_id, item_name, unit_price, available_units, end_date, auction_finished)
            VALUES (:user_id, :year_month, :item_id, :item_name, :unit_price, :available_units, :end_date,
                :auction_finished)
            """;

    private static final String TAG_ITEM = """
            INSERT INTO cass_tag_item
                (tag, item_id, item_name, unit_price, available_units, end_date, auction_finished)
            VALUES (:tag, :item_id, :item_name, :unit_price, :available_units, :end_date, :auction_finished)
            USING TTL :ttl
            """;

    /** The history is written last and never expires, so it tells how far the batch of an item has come. */
    private static final String LISTED_VERSION = """
            SELECT writetime(available_units) AS version
            FROM cass_user_item_history WHERE user_id = ? AND year_month = ? AND item_id = ?
            """;

    private final CassandraOperations cassandra;
    private final ListingTerm term;
    private final Clock clock;
    private final PreparedStatement master;
    private final PreparedStatement userItem;
    private final PreparedStatement history;
    private final PreparedStatement tagItem;
    private final PreparedStatement listedVersion;

    ListingsImpl(CassandraOperations cassandra, CqlSession session, ListingTerm term, Clock clock) {
        this.cassandra = cassandra;
        this.term = term;
        this.clock = clock;
        this.master = session.prepare(MASTER);
        this.userItem = session.prepare(USER_ITEM);
        this.history = session.prepare(USER_ITEM_HISTORY);
        this.tagItem = session.prepare(TAG_ITEM);
        this.listedVersion = session.prepare(LISTED_VERSION);
    }

    @Override
    public Optional<State> lastState(UUID itemId) {
        return one(master.bind(itemId)).map(row -> new State(itemOf(row), row.getLong("version")));
    }

    @Override
    public boolean areUpToDate(UUID itemId) {
        Optional<State> state = lastState(itemId);
        return state.isEmpty()
                || listedVersion(state.get().item()) >= state.get().version();
    }

    @Override
    public void write(State state) {
        Item item = state.item();
        BatchStatementBuilder batch = new BatchStatementBuilder(BatchType.LOGGED).setQueryTimestamp(state.version());
        Duration left = term.left(item.startDate(), clock.instant());
        if (!left.isZero()) {
            int ttl = Math.toIntExact(left.toSeconds());
            batch.addStatement(listed(userItem, item)
                    .setUuid("user_id", item.sellerId())
                    .setInt("ttl", ttl)
                    .build());
            for (String tag : item.tags()) {
                batch.addStatement(listed(tagItem, item)
                        .setString("tag", tag)
                        .setInt("ttl", ttl)
                        .build());
            }
        }
        batch.addStatement(listed(history, item)
                .setUuid("user_id", item.sellerId())
                .setString("year_month", monthOf(item.id()).toString())
                .build());
        cassandra.getCqlOperations().execute(batch.build());
    }

    private static BoundStatementBuilder listed(PreparedStatement insert, Item item) {
        return insert.boundStatementBuilder()
                .setUuid("item_id", item.id())
                .setString("item_name", item.name())
                .setBigDecimal("unit_price", item.unitPrice())
                .setInt("available_units", item.availableUnits())
                .setInstant("end_date", item.endDate())
                .setBoolean("auction_finished", item.finished());
    }

    private long listedVersion(Item item) {
        BoundStatement query =
                listedVersion.bind(item.sellerId(), monthOf(item.id()).toString(), item.id());
        return one(query).map(row -> row.getLong("version")).orElse(Long.MIN_VALUE);
    }

    private Item itemOf(Row row) {
        return cassandra.getConverter().read(Item.class, row);
    }

    private Optional<Row> one(Statement<?> query) {
        List<Row> rows = cassandra.getCqlOperations().query(query, (row, number) -> row);
        return rows.stream().findFirst();
    }

    /** The month, in UTC, in which an item's id was made. */
    static YearMonth monthOf(UUID itemId) {
        return YearMonth.from(TimeIds.instantOf(itemId).atOffset(ZoneOffset.UTC));
    }
}
