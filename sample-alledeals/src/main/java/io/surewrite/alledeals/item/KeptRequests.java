package io.surewrite.alledeals.item;

import static io.surewrite.retry.Idempotent.WhenExhausted.BACKLOG;

import io.surewrite.retry.Idempotent;
import io.surewrite.write.WriteReceipt;
import java.time.Duration;

/** How a request to list an item is kept while the database is away. */
interface KeptRequests {

    /** What has not become an item by then is forgotten: nobody wants to sell a day later without being asked. */
    Duration FORGOTTEN_AFTER = Duration.ofHours(24);

    /**
     * Writes the request, now or when the database is back. One attempt, and a short one: whoever comes here has waited
     * already, and what is not written is on the disk.
     *
     * @return whether it is in the database or in the backlog
     */
    @Idempotent(attempts = 1, whenExhausted = BACKLOG)
    WriteReceipt keep(Item item);
}
