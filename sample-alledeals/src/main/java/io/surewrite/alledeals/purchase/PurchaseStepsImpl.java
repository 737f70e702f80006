package io.surewrite.alledeals.purchase;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/** Found by Spring Data by its name. */
class PurchaseStepsImpl implements PurchaseSteps {

    private static final String FIND = """
            SELECT purchase_id, item_id, user_id, unit_price, quantity, status, ttl(status) AS expires_in
            FROM cass_master_purchase WHERE purchase_id = ?
            """;

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

    private static final String BEGUN_IN = """
            SELECT purchase_id, item_id, user_id, unit_price, quantity FROM cass_begun_purchase WHERE bucket = ?
            """;

    private final CqlOperations cql;
    private final PreparedStatement find;
    private final PreparedStatement master;
    private final PreparedStatement userPurchase;
    private final PreparedStatement begun;
    private final PreparedStatement begunIn;

    PurchaseStepsImpl(CassandraOperations cassandra, CqlSession session) {
        this.cql = cassandra.getCqlOperations();
        this.find = session.prepare(FIND);
        this.master = session.prepare(MASTER);
        this.userPurchase = session.prepare(USER_PURCHASE);
        this.begun = session.prepare(BEGUN);
        this.begunIn = session.prepare(BEGUN_IN);
    }

    @Override
    public Optional<Purchase> findById(UUID id) {
        Statement<?> query = find.bind(id);
        List<Purchase> found = cql.query(query, (row, number) -> purchaseOf(row, statusOf(row), expiryOf(row)));
        return found.stream().findFirst();
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

    @Override
    public List<Purchase> begunIn(Instant bucket) {
        Statement<?> query = begunIn.bind(bucket);
        return cql.query(query, (row, number) -> purchaseOf(row, PurchaseStatus.CREATED, null));
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

    private static PurchaseStatus statusOf(Row row) {
        return PurchaseStatus.valueOf(Objects.requireNonNull(row.getString("status")));
    }

    private static @Nullable Integer expiryOf(Row row) {
        return row.isNull("expires_in") ? null : row.getInt("expires_in");
    }

    private static Purchase purchaseOf(Row row, PurchaseStatus status, @Nullable Integer expiresIn) {
        return new Purchase(
                row.get("purchase_id", UUID.class),
                row.get("item_id", UUID.class),
                row.get("user_id", UUID.class),
                row.get("unit_price", BigDecimal.class),
                row.getInt("quantity"),
                status,
                expiresIn);
    }

    /** The time in the id, in microseconds; no clock of any server or client has a say. */
    static long firstStep(UUID purchaseId) {
        long micros = TimeUnit.MILLISECONDS.toMicros(Uuids.unixTimestamp(purchaseId));
        return Math.max(1, micros);
    }
}
