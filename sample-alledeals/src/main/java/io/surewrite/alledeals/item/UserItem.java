package io.surewrite.alledeals.item;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.Ordering;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** An item among those its seller lists now; gone 30 days after it was listed. */
@Table("cass_user_item")
record UserItem(
        @PrimaryKeyColumn(name = "user_id", type = PrimaryKeyType.PARTITIONED)
        UUID userId,

        @PrimaryKeyColumn(name = "item_id", type = PrimaryKeyType.CLUSTERED, ordering = Ordering.DESCENDING)
        UUID itemId,

        @Column("item_name") String name,
        @Column("unit_price") BigDecimal unitPrice,
        @Column("available_units") int availableUnits,
        @Column("end_date") Instant endDate,
        @Column("auction_finished") boolean finished)
        implements Listed {

    static UserItem of(Item item) {
        return new UserItem(
                item.sellerId(),
                item.id(),
                item.name(),
                item.unitPrice(),
                item.availableUnits(),
                item.endDate(),
                item.finished());
    }
}
