package io.surewrite.alledeals.purchase;

import io.surewrite.retry.Idempotent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a purchase writes beside the item. Each step carries its own fixed write time, so that it changes nothing when it
 * is repeated, and the last step wins even if it arrives first.
 */
interface PurchaseSteps {

    /** Step 1: saves purchases for a while, and notes that they were begun. */
    @Idempotent
    void savePurchases(List<Purchase> purchases, Duration timeToLive, Instant bucket);

    /** Step 3: makes purchases permanent, every cell of them, and assigns them to their buyers, in one batch. */
    @Idempotent
    void completePurchases(List<Purchase> purchases);
}
