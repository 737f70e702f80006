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

    /**
     * Step 1: saves the purchase for a while, and notes that it was begun.
     *
     * @param purchase the purchase, just created
     * @param timeToLive how long it stays if nobody completes it
     * @param bucket the bucket of time to note it in
     */
    @Idempotent
    void savePurchase(Purchase purchase, Duration timeToLive, Instant bucket);

    /**
     * Step 3: makes the purchase permanent, every cell of it, and assigns it to its buyer, in one batch.
     *
     * @param purchase the purchase, which is bound to its item
     */
    @Idempotent
    void completePurchase(Purchase purchase);

    /**
     * Finds what was begun.
     *
     * @param bucket a bucket of time
     * @return the purchases as they were when they began
     */
    List<Purchase> begunIn(Instant bucket);
}
