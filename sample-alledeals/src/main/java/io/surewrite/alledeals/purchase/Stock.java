package io.surewrite.alledeals.purchase;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * What is left of an item, and the purchases it went to: the two columns are always written together, so one of them
 * never is newer than the other.
 *
 * <p>Nothing ever comes back on the shelf. So a stock that is out of date shows too much at most, and what it refuses is
 * rightly refused; and an update on the condition that {@code available} is unchanged sees the purchases unchanged too.
 */
@Table("cass_master_item")
record Stock(
        @PrimaryKey("item_id") UUID itemId,
        @Column("available_units") int available,
        @Nullable Map<UUID, Integer> purchases) {

    boolean has(Purchase purchase) {
        return purchases != null && purchases.containsKey(purchase.id());
    }

    /** Whether the purchase took just the units it says. */
    boolean matches(Purchase purchase) {
        return purchases != null && Integer.valueOf(purchase.quantity()).equals(purchases.get(purchase.id()));
    }
}
