package io.surewrite.alledeals.item;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.Ordering;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** An item under one of its tags; gone 30 days after it was listed. */
@Table("cass_tag_item")
record TagItem(
        @PrimaryKeyColumn(name = "tag", type = PrimaryKeyType.PARTITIONED)
        String tag,

        @PrimaryKeyColumn(name = "item_id", type = PrimaryKeyType.CLUSTERED, ordering = Ordering.DESCENDING)
        UUID itemId,

        @Column("item_name") String name,
        @Column("unit_price") BigDecimal unitPrice,
        @Column("available_units") int availableUnits,
        @Column("end_date") Instant endDate,
        @Column("auction_finished") boolean finished)
        implements Listed {

    static TagItem of(String tag, Item item) {
        return new TagItem(
                tag, item.id(), item.name(), item.unitPrice(), item.availableUnits(), item.endDate(), item.finished());
    }
}
