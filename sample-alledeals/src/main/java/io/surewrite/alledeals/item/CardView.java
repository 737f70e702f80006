package io.surewrite.alledeals.item;

import io.surewrite.alledeals.web.Euro;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** An item in the words of a page, at a moment. */
record CardView(Listed item, Instant now) {

    private static final int FEW = 3;
    private static final DateTimeFormatter EXACTLY =
            DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.UK).withZone(ZoneOffset.UTC);

    static List<CardView> of(List<? extends Listed> items, Instant now) {
        return items.stream().map(item -> new CardView(item, now)).toList();
    }

    public String price() {
        return Euro.text(item.unitPrice());
    }

    public String stock() {
        int available = item.availableUnits();
        return switch (available) {
            case 0 -> "None left";
            case 1 -> "The only one";
            default -> scarce() ? "Only " + available + " left" : available + " available";
        };
    }

    public boolean scarce() {
        return item.availableUnits() <= FEW;
    }

    public boolean open() {
        return !item.finished() && item.endDate().isAfter(now);
    }

    public String ends() {
        Duration left = Duration.between(now, item.endDate());
        if (!open()) {
            return item.finished() ? "Sold out" : "Ended";
        } else if (left.toHours() < 1) {
            return "Less than an hour left";
        }
        return left.toHours() < 48
                ? counted(left.toHours(), "hour")
                : counted(left.plusHours(12).toDays(), "day");
    }

    private static String counted(long count, String unit) {
        return "%d %s%s left".formatted(count, unit, count == 1 ? "" : "s");
    }

    public String endDate() {
        return EXACTLY.format(item.endDate());
    }
}
