package io.surewrite.alledeals.purchase;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;

/** Purchases. They are written by their steps alone. */
interface PurchaseRepository extends Repository<Purchase, UUID>, PurchaseSteps {

    @Query("SELECT purchase_id, item_id, user_id, unit_price, quantity, status, ttl(status) AS expires_in"
            + " FROM cass_master_purchase WHERE purchase_id = :id")
    Optional<Purchase> findById(UUID id);

    /** The purchases as they were when they began. */
    @Query("SELECT purchase_id, item_id, user_id, unit_price, quantity FROM cass_begun_purchase WHERE bucket = :bucket")
    List<Purchase> begunIn(Instant bucket);
}
