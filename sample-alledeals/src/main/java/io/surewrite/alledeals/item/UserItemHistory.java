package io.surewrite.alledeals.item;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.Ordering;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * An item among all that its seller listed in a month, kept for good.
 *
 * @param userId the seller
 * @param yearMonth such as 2026-11: the month, in UTC, of the time in the item's id
 * @param itemId the item, the newest first
 * @param name its name
 * @param unitPrice in euro
 * @param availableUnits how many were left when this was written
 * @param endDate when the offer ends
 * @param finished whether nothing is left
 */
@Table("cass_user_item_history")
record UserItemHistory(
        @PrimaryKeyColumn(name = "user_id", ordinal = 0, type = PrimaryKeyType.PARTITIONED)
        UUID userId,

        @PrimaryKeyColumn(name = "year_month", ordinal = 1, type = PrimaryKeyType.PARTITIONED)
        String yearMonth,

        @PrimaryKeyColumn(name = "item_id", type = PrimaryKeyType.CLUSTERED, ordering = Ordering.DESCENDING)
        UUID itemId,

        @Column("item_name") String name,
        @Column("unit_price") BigDecimal unitPrice,
        @Column("available_units") int availableUnits,
        @Column("end_date") Instant endDate,
        @Column("auction_finished") boolean finished)
        implements Listed {}
