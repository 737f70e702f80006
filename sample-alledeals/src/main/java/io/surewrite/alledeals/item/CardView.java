package io.surewrite.alledeals.item;

import io.surewrite.alledeals.web.Euro;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * An item on a shelf, in the words of a page.
 *
 * @param price such as "€1,250.00"
 */
record CardView(UUID id, String name, String price, String stock, boolean scarce, boolean open, String ends) {

    private static final int FEW = 3;

    static CardView of(Listed item, Instant now) {
        boolean open = !item.finished() && item.endDate().isAfter(now);
        return new CardView(
                item.itemId(),
                item.name(),
                Euro.text(item.unitPrice()),
                stock(item.availableUnits()),
                item.availableUnits() <= FEW,
                open,
                open ? left(Duration.between(now, item.endDate())) : item.finished() ? "Sold out" : "Ended");
    }

    static List<CardView> of(List<? extends Listed> items, Instant now) {
        return items.stream().map(item -> of(item, now)).toList();
    }

    private static String stock(int available) {
        if (available == 0) {
            return "None left";
        } else if (available == 1) {
            return "The only one";
        }
        return available <= FEW ? "Only " + available + " left" : available + " available";
    }

    private static String left(Duration time) {
        if (time.toHours() < 1) {
            return "Less than an hour left";
        }
        return time.toHours() < 48
                ? counted(time.toHours(), "hour") + " left"
                : counted(time.plusHours(12).toDays(), "day") + " left";
    }

    private static String counted(long count, String unit) {
        return count + " " + unit + (count == 1 ? "" : "s");
    }
}
