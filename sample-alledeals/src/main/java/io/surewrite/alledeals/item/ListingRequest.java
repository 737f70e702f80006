package io.surewrite.alledeals.item;

import io.surewrite.alledeals.begun.TimeBuckets;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** All it takes to list an item later: what a seller wanted while the database was away. */
@Table("cass_listing_request")
record ListingRequest(
        @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) Instant bucket,

        @PrimaryKeyColumn(name = "item_id", type = PrimaryKeyType.CLUSTERED)
        UUID itemId,

        @Column("user_id") UUID sellerId,
        @Column("item_name") String name,
        @Column("item_desc") String description,
        @Column("unit_price") BigDecimal unitPrice,
        @Column("offered_units") int offeredUnits,
        @Column("start_date") Instant startDate,
        @Column("end_date") Instant endDate,
        @Nullable Set<String> tags) {

    /** The bucket in which to look for the request to list an item. */
    static Instant bucketOf(Item item) {
        return TimeBuckets.of(item.startDate());
    }

    /** Where to look for what becomes of it, below {@code /api} for programs. */
    static String addressOf(Item item) {
        return "/listing-requests/%s/%s".formatted(bucketOf(item), item.id());
    }

    static ListingRequest of(Item item) {
        return new ListingRequest(
                bucketOf(item),
                item.id(),
                item.sellerId(),
                item.name(),
                item.description(),
                item.unitPrice(),
                item.offeredUnits(),
                item.startDate(),
                item.endDate(),
                item.tags());
    }

    /** The item as it is when just listed. */
    Item item() {
        return new Item(
                itemId,
                sellerId,
                name,
                description,
                unitPrice,
                offeredUnits,
                offeredUnits,
                startDate,
                endDate,
                tags == null ? Set.of() : tags,
                false);
    }
}
