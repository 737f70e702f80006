package io.surewrite.alledeals.purchase;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is left of an item, and the purchases it went to: the two columns are always written together, so one of them
 * never is newer than the other.
 *
 * <p>Nothing ever comes back on the shelf. So a stock that is out of date shows too much at most, and what it refuses is
 * rightly refused; and an update on the condition that {@code available} is unchanged sees the purchases unchanged too.
 *
 * @param available how many units are left
 * @param purchases how many units each purchase took
 */
record Stock(int available, Map<UUID, Integer> purchases) {

    static final Stock NONE = new Stock(0, Map.of());

    static Stock of(@Nullable Row row) {
        return row == null || row.isNull("available_units")
                ? NONE
                : new Stock(row.getInt("available_units"), purchases(row));
    }

    private static Map<UUID, Integer> purchases(Row row) {
        Map<UUID, Integer> purchases = row.getMap("purchases", UUID.class, Integer.class);
        return purchases == null ? Map.of() : purchases;
    }

    /** How many units are left after these purchases. */
    int availableWithout(List<Purchase> taken) {
        return available - taken.stream().mapToInt(Purchase::quantity).sum();
    }

    /** The stock after these purchases. */
    Stock without(List<Purchase> taken) {
        Map<UUID, Integer> after = new HashMap<>(purchases);
        taken.forEach(purchase -> after.put(purchase.id(), purchase.quantity()));
        return new Stock(availableWithout(taken), after);
    }

    boolean has(Purchase purchase) {
        return purchases.containsKey(purchase.id());
    }

    /** Whether the purchase took just the units it says. */
    boolean matches(Purchase purchase) {
        return Integer.valueOf(purchase.quantity()).equals(purchases.get(purchase.id()));
    }
}
