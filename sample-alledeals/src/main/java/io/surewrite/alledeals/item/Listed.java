package io.surewrite.alledeals.item;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/** What every listing shows of an item, whatever it is listed by. */
interface Listed {

    UUID itemId();

    String name();

    BigDecimal unitPrice();

    int availableUnits();

    Instant endDate();

    /** Whether nothing is left. */
    boolean finished();
}
