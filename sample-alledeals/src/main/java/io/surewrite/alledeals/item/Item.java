package io.surewrite.alledeals.item;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** An item for sale, and the one source of truth about it. Its id is made by the client, so listing again changes nothing. */
@Table("cass_master_item")
public record Item(
        @PrimaryKey("item_id") UUID id,
        @Column("user_id") UUID sellerId,
        @Column("item_name") String name,
        @Column("item_desc") String description,
        @Column("unit_price") BigDecimal unitPrice,
        @Column("offered_units") int offeredUnits,
        @Column("available_units") int availableUnits,
        @Column("start_date") Instant startDate,
        @Column("end_date") Instant endDate,
        Set<String> tags,
        @Column("auction_finished") boolean finished)
        implements Listed {

    /** Cassandra keeps an empty set as no value at all, and a time in milliseconds. */
    public Item {
        tags = noneIfNull(tags);
    }

    @Override
    public UUID itemId() {
        return id;
    }

    /** The description, without lines that are empty. */
    public List<String> paragraphs() {
        return description.lines().filter(line -> !line.isBlank()).toList();
    }

    /** Compares what the seller gave, not what has become of it since. */
    List<String> differencesFrom(Item other) {
        List<String> differences = new ArrayList<>();
        compare("sellerId", sellerId, other.sellerId, differences);
        compare("name", name, other.name, differences);
        compare("description", description, other.description, differences);
        compare("unitPrice", unitPrice.stripTrailingZeros(), other.unitPrice.stripTrailingZeros(), differences);
        compare("offeredUnits", offeredUnits, other.offeredUnits, differences);
        compare("endDate", endDate, other.endDate, differences);
        compare("tags", tags, other.tags, differences);
        return differences;
    }

    private static void compare(String field, Object one, Object other, List<String> differences) {
        if (!Objects.equals(one, other)) {
            differences.add(field);
        }
    }

    private static Set<String> noneIfNull(@Nullable Set<String> tags) {
        return tags == null ? Set.of() : new TreeSet<>(tags);
    }
}
