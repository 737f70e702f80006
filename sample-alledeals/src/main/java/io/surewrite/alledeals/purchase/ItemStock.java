package io.surewrite.alledeals.purchase;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.springframework.context.annotation.DependsOn;
import org.springframework.stereotype.Component;

/** The stock of items in the master table, which conditional updates alone change. */
@Component
@DependsOn("surewriteSchema")
class ItemStock {

    private static final String STOCK = """
            SELECT available_units, purchases FROM cass_master_item WHERE item_id = ?
            """;

    /**
     * The condition keeps the units from being sold twice, and names no more than it must: of what it names Cassandra reads
     * all, and the map of purchases grows. So a rejected update does not tell whether an earlier run of itself changed the
     * stock; the map does, to who reads it then.
     */
    static final String TAKE = """
            UPDATE cass_master_item
            SET available_units = :available_after, auction_finished = :finished, purchases = purchases + :taken
            WHERE item_id = :item_id
            IF available_units = :available_before
            """;

    private final CqlSession session;
    private final ConditionalWrites writes;
    private final PreparedStatement stock;
    private final PreparedStatement take;
    private final ConsistencyLevel serial;
    private final Duration patience;

    ItemStock(CqlSession session, ConditionalWrites writes, PurchaseProperties properties) {
        this.patience = properties.patience();
        this.session = session;
        this.writes = writes;
        this.stock = session.prepare(STOCK);
        this.take = session.prepare(TAKE);
        this.serial = DefaultConsistencyLevel.valueOf(session.getContext()
                .getConfig()
                .getProfile(ConditionalWrites.PROFILE)
                .getString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY));
    }

    /** Reads the stock; it may be out of date. */
    CompletionStage<Stock> read(UUID itemId) {
        return read(stock.bind(itemId));
    }

    /** Reads the stock and ends all updates that are half done: what it does not show by now was not applied. */
    CompletionStage<Stock> readFinal(UUID itemId) {
        return read(stock.bind(itemId).setConsistencyLevel(serial));
    }

    /**
     * Takes the units of several purchases off the stock: of all of them, or of none. It may have done so also when it is
     * rejected: {@link #read} tells.
     */
    CompletionStage<WriteOutcome> take(UUID itemId, Stock before, List<Purchase> purchases) {
        Map<UUID, Integer> taken = purchases.stream().collect(Collectors.toMap(Purchase::id, Purchase::quantity));
        int after = before.availableWithout(purchases);
        BoundStatement update = take.bind()
                .setUuid("item_id", itemId)
                .setInt("available_before", before.available())
                .setInt("available_after", after)
                .setBoolean("finished", after == 0)
                .setMap("taken", taken, UUID.class, Integer.class);
        return writes.execute(new ConditionalWrite(update, row -> false), patience);
    }

    private CompletionStage<Stock> read(BoundStatement query) {
        return session.executeAsync(query).thenApply(rows -> Stock.of(rows.one()));
    }
}
