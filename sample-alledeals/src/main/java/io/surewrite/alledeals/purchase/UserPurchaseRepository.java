package io.surewrite.alledeals.purchase;

import java.util.List;
import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;

/** What users bought; {@link PurchaseSteps} writes it. */
interface UserPurchaseRepository extends Repository<UserPurchase, MapId> {

    @Query("SELECT * FROM cass_user_purchase WHERE user_id = :buyerId AND purchase_id < :before LIMIT :limit")
    List<UserPurchase> findPage(UUID buyerId, UUID before, int limit);
}
