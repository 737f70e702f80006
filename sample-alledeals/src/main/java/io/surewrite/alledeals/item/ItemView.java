package io.surewrite.alledeals.item;

import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * An item in the words of a page.
 *
 * @param id the item's id
 * @param name its name
 * @param paragraphs its description
 * @param price such as "€1,250.00"
 * @param available how many are left
 * @param offered how many were offered
 * @param stock how many are left, in words
 * @param scarce whether few are left
 * @param open whether it can still be bought
 * @param ends how long it is still open, in words
 * @param endDate when it ends, exactly
 * @param startDate when it was listed
 * @param tags its tags
 */
record ItemView(
        UUID id,
        String name,
        List<String> paragraphs,
        String price,
        int available,
        int offered,
        String stock,
        boolean scarce,
        boolean open,
        String ends,
        String endDate,
        String startDate,
        Set<String> tags) {

    private static final int FEW = 3;
    private static final DateTimeFormatter EXACTLY =
            DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.UK).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.UK).withZone(ZoneOffset.UTC);

    static ItemView of(Item item, Instant now) {
        boolean open = !item.finished() && item.endDate().isAfter(now);
        return new ItemView(
                item.id(),
                item.name(),
                item.description().lines().filter(line -> !line.isBlank()).toList(),
                price(item.unitPrice()),
                item.availableUnits(),
                item.offeredUnits(),
                stock(item.availableUnits()),
                item.availableUnits() <= FEW,
                open,
                open ? left(Duration.between(now, item.endDate())) : item.finished() ? "Sold out" : "Ended",
                EXACTLY.format(item.endDate()),
                DAY.format(item.startDate()),
                item.tags());
    }

    private static String price(BigDecimal price) {
        return "€" + new DecimalFormat("#,##0.00", DecimalFormatSymbols.getInstance(Locale.UK)).format(price);
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
