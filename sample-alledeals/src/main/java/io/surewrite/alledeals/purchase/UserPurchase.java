package io.surewrite.alledeals.purchase;

import java.math.BigDecimal;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.Ordering;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** A completed purchase among those of its buyer. */
@Table("cass_user_purchase")
record UserPurchase(
        @PrimaryKeyColumn(name = "user_id", type = PrimaryKeyType.PARTITIONED)
        UUID buyerId,

        @PrimaryKeyColumn(name = "purchase_id", type = PrimaryKeyType.CLUSTERED, ordering = Ordering.DESCENDING)
        UUID purchaseId,

        @Column("item_id") UUID itemId,
        @Column("unit_price") BigDecimal unitPrice,
        int quantity) {}
