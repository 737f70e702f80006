package io.surewrite.alledeals.purchase;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.retry.TimeUuids;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/** Found by Spring Data by its name. */
class PurchaseStepsImpl implements PurchaseSteps {

    /** A TTL of zero is none. */
    private static final String MASTER = """
            INSERT INTO cass_master_purchase (purchase_id, item_id, user_id, unit_price, quantity, status)
            VALUES (:purchase_id, :item_id, :user_id, :unit_price, :quantity, :status)
            USING TTL :ttl AND TIMESTAMP :timestamp
            """;

    private static final String USER_PURCHASE = """
            INSERT INTO cass_user_purchase (user_id, purchase_id, item_id, unit_price, quantity)
            VALUES (:user_id, :purchase_id, :item_id, :unit_price, :quantity)
            USING TIMESTAMP :timestamp
            """;

    private static final String BEGUN = """
            INSERT INTO cass_begun_purchase (bucket, purchase_id, item_id, user_id, unit_price, quantity)
            VALUES (:bucket, :purchase_id, :item_id, :user_id, :unit_price, :quantity)
            """;

    private static final String BEGUN_IN = """
            SELECT purchase_id, item_id, user_id, unit_price, quantity FROM cass_begun_purchase WHERE bucket = ?
            """;

    private final CqlOperations cql;
    private final PreparedStatement master;
    private final PreparedStatement userPurchase;
    private final PreparedStatement begun;
    private final PreparedStatement begunIn;

    PurchaseStepsImpl(CassandraOperations cassandra, CqlSession session) {
        this.cql = cassandra.getCqlOperations();
        this.master = session.prepare(MASTER);
        this.userPurchase = session.prepare(USER_PURCHASE);
        this.begun = session.prepare(BEGUN);
        this.begunIn = session.prepare(BEGUN_IN);
    }

    @Override
    public void savePurchase(Purchase purchase, Duration timeToLive, Instant bucket) {
        BoundStatement saved = bind(master, purchase)
                .setString("status", PurchaseStatus.CREATED.name())
                .setInt("ttl", Math.toIntExact(timeToLive.toSeconds()))
                .setLong("timestamp", firstStep(purchase.id()));
        // Both must be there before the purchase is bound, but neither does harm without the other.
        execute(BatchType.UNLOGGED, saved, bind(begun, purchase).setInstant("bucket", bucket));
    }

    @Override
    public void completePurchase(Purchase purchase) {
        long timestamp = firstStep(purchase.id()) + 1;
        BoundStatement completed = bind(master, purchase)
                .setString("status", PurchaseStatus.COMPLETED.name())
                .setInt("ttl", 0)
                .setLong("timestamp", timestamp);
        execute(BatchType.LOGGED, completed, bind(userPurchase, purchase).setLong("timestamp", timestamp));
    }

    @Override
    public List<Purchase> begunIn(Instant bucket) {
        Statement<?> query = begunIn.bind(bucket);
        return cql.query(query, (row, number) -> purchaseOf(row));
    }

    private void execute(BatchType type, BoundStatement one, BoundStatement other) {
        cql.execute(BatchStatement.newInstance(type, one, other));
    }

    private static BoundStatement bind(PreparedStatement statement, Purchase purchase) {
        return statement
                .bind()
                .setUuid("purchase_id", purchase.id())
                .setUuid("item_id", purchase.itemId())
                .setUuid("user_id", purchase.buyerId())
                .setBigDecimal("unit_price", purchase.unitPrice())
                .setInt("quantity", purchase.quantity());
    }

    private static Purchase purchaseOf(Row row) {
        return Purchase.created(
                row.get("purchase_id", UUID.class),
                row.get("item_id", UUID.class),
                row.get("user_id", UUID.class),
                row.get("unit_price", BigDecimal.class),
                row.getInt("quantity"));
    }

    /** The time in the id, in microseconds; no clock of any server or client has a say. */
    private static long firstStep(UUID purchaseId) {
        long micros =
                TimeUnit.MILLISECONDS.toMicros(TimeUuids.instantOf(purchaseId).toEpochMilli());
        return Math.max(1, micros);
    }
}
