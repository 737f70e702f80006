package io.surewrite.alledeals.item;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.Ordering;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** An item among all that its seller listed in a month (UTC, of the time in its id), kept for good. */
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
        implements Listed {

    static UserItemHistory of(Item item) {
        return new UserItemHistory(
                item.sellerId(),
                Listings.monthOf(item.id()).toString(),
                item.id(),
                item.name(),
                item.unitPrice(),
                item.availableUnits(),
                item.endDate(),
                item.finished());
    }
}
