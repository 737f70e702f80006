package io.surewrite.alledeals.item;

import io.surewrite.alledeals.web.Euro;
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
 * @param price such as "€1,250.00"
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

    private static final DateTimeFormatter EXACTLY =
            DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.UK).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.UK).withZone(ZoneOffset.UTC);

    static ItemView of(Item item, Instant now) {
        CardView card = CardView.of(item, now);
        return new ItemView(
                item.id(),
                item.name(),
                item.description().lines().filter(line -> !line.isBlank()).toList(),
                Euro.text(item.unitPrice()),
                item.availableUnits(),
                item.offeredUnits(),
                card.stock(),
                card.scarce(),
                card.open(),
                card.ends(),
                EXACTLY.format(item.endDate()),
                DAY.format(item.startDate()),
                item.tags());
    }
}
