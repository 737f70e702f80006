package io.surewrite.alledeals.item;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.write.WriteReceipt;
import java.time.Duration;
import org.springframework.data.cassandra.core.CassandraOperations;

/** Found by Spring Data by its name. It prepares its statement in time: without the database nobody can. */
class KeptRequestsImpl implements KeptRequests {

    private static final String INSERT = """
            INSERT INTO cass_listing_request
                (bucket, item_id, user_id, item_name, item_desc, unit_price, offered_units, start_date, end_date, tags)
            VALUES (:bucket, :item_id, :user_id, :item_name, :item_desc, :unit_price, :offered_units, :start_date,
                :end_date, :tags)
            USING TTL :ttl
            """;

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final CassandraOperations cassandra;
    private final PreparedStatement insert;

    KeptRequestsImpl(CassandraOperations cassandra, CqlSession session) {
        this.cassandra = cassandra;
        this.insert = session.prepare(INSERT);
    }

    @Override
    public WriteReceipt keep(Item item) {
        cassandra
                .getCqlOperations()
                .execute(insert.boundStatementBuilder()
                        .setInstant("bucket", ListingRequest.bucketOf(item))
                        .setUuid("item_id", item.id())
                        .setUuid("user_id", item.sellerId())
                        .setString("item_name", item.name())
                        .setString("item_desc", item.description())
                        .setBigDecimal("unit_price", item.unitPrice())
                        .setInt("offered_units", item.offeredUnits())
                        .setInstant("start_date", item.startDate())
                        .setInstant("end_date", item.endDate())
                        .setSet("tags", item.tags(), String.class)
                        .setInt("ttl", Math.toIntExact(FORGOTTEN_AFTER.toSeconds()))
                        .setTimeout(PATIENCE)
                        .build());
        return WriteReceipt.WRITTEN;
    }
}
