package io.surewrite.alledeals.purchase;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.uuid.Uuids;
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
    static final String MASTER = """
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

    private final CqlOperations cql;
    private final PreparedStatement master;
    private final PreparedStatement userPurchase;
    private final PreparedStatement begun;

    PurchaseStepsImpl(CassandraOperations cassandra, CqlSession session) {
        this.cql = cassandra.getCqlOperations();
        this.master = session.prepare(MASTER);
        this.userPurchase = session.prepare(USER_PURCHASE);
        this.begun = session.prepare(BEGUN);
    }

    @Override
    public void savePurchases(List<Purchase> purchases, Duration timeToLive, Instant bucket) {
        int ttl = Math.toIntExact(timeToLive.toSeconds());
        // All must be there before a purchase is bound, but none does harm without the others.
        BatchStatementBuilder batch = new BatchStatementBuilder(BatchType.UNLOGGED);
        for (Purchase purchase : purchases) {
            batch.addStatement(bind(master, purchase)
                    .setString("status", PurchaseStatus.CREATED.name())
                    .setInt("ttl", ttl)
                    .setLong("timestamp", firstStep(purchase.id())));
            batch.addStatement(bind(begun, purchase).setInstant("bucket", bucket));
        }
        cql.execute(batch.build());
    }

    @Override
    public void completePurchases(List<Purchase> purchases) {
        BatchStatementBuilder batch = new BatchStatementBuilder(BatchType.LOGGED);
        for (Purchase purchase : purchases) {
            long timestamp = firstStep(purchase.id()) + 1;
            batch.addStatement(bind(master, purchase)
                    .setString("status", PurchaseStatus.COMPLETED.name())
                    .setInt("ttl", 0)
                    .setLong("timestamp", timestamp));
            batch.addStatement(bind(userPurchase, purchase).setLong("timestamp", timestamp));
        }
        cql.execute(batch.build());
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

    /** The time in the id, in microseconds; no clock of any server or client has a say. */
    static long firstStep(UUID purchaseId) {
        long micros = TimeUnit.MILLISECONDS.toMicros(Uuids.unixTimestamp(purchaseId));
        return Math.max(1, micros);
    }
}
