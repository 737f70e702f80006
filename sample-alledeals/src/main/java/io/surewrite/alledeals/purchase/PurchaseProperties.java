package io.surewrite.alledeals.purchase;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How a purchase waits.
 *
 * @param patience How long to ask what became of an update of the stock before the buyer is told that nobody knows.
 * @param unboundLives How long a purchase stays that is not bound to its item.
 */
@ConfigurationProperties("alledeals.purchase")
record PurchaseProperties(
        @DefaultValue("8s") Duration patience,
        @DefaultValue("24h") Duration unboundLives) {}
