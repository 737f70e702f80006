package io.surewrite.alledeals.purchase;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.math.BigDecimal;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * A purchase, and the one source of truth about it, except for whether the item's units are taken: the item knows that.
 */
@Table("cass_master_purchase")
public record Purchase(
        @PrimaryKey("purchase_id") UUID id,
        @Column("item_id") UUID itemId,
        @Column("user_id") UUID buyerId,
        @Column("unit_price") BigDecimal unitPrice,
        int quantity,
        PurchaseStatus status,
        @JsonIgnore @Column("expires_in") @Nullable Integer expiresIn) {

    /** The note of one that was begun says no status. */
    public Purchase {
        status = createdIfNull(status);
    }

    private static PurchaseStatus createdIfNull(@Nullable PurchaseStatus status) {
        return status == null ? PurchaseStatus.CREATED : status;
    }

    static Purchase created(UUID id, UUID itemId, UUID buyerId, BigDecimal unitPrice, int quantity) {
        return new Purchase(id, itemId, buyerId, unitPrice, quantity, PurchaseStatus.CREATED, null);
    }

    Purchase completed() {
        return new Purchase(id, itemId, buyerId, unitPrice, quantity, PurchaseStatus.COMPLETED, null);
    }

    boolean isCompleted() {
        return status == PurchaseStatus.COMPLETED;
    }
}
