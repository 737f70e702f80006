package io.surewrite.alledeals.web;

import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Prices as pages show them. */
public final class Euro {

    private Euro() {}

    /** Writes a price. */
    public static String text(BigDecimal price) {
        return "€" + new DecimalFormat("#,##0.00", DecimalFormatSymbols.getInstance(Locale.UK)).format(price);
    }
}
