package io.surewrite.alledeals.purchase;

import io.surewrite.retry.Idempotent;
import io.surewrite.write.WriteId;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.QueryOptions;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;

/** The stock of items in the master table, which conditional updates alone change. */
interface StockRepository extends Repository<Stock, UUID> {

    /**
     * The condition keeps the units from being sold twice, and names no more than it must: of what it names Cassandra reads
     * all, and the map of purchases grows.
     */
    String TAKE = """
            UPDATE cass_master_item
            SET available_units = :after, auction_finished = :finished, purchases = purchases + :taken, write_id = :writeId
            WHERE item_id = :itemId
            IF available_units = :before
            """;

    @Query("SELECT item_id, available_units, purchases FROM cass_master_item WHERE item_id = :itemId")
    Optional<Stock> find(UUID itemId, QueryOptions options);

    /** Takes the units of several purchases off the stock: of all of them, or of none if somebody else took some. */
    @Idempotent(deadline = "${alledeals.purchase.patience:8s}")
    @Query(TAKE)
    boolean take(
            UUID itemId,
            int before,
            int after,
            boolean finished,
            Map<UUID, Integer> taken,
            @WriteId @Nullable UUID writeId);
}
