package io.surewrite.alledeals.item;

import static io.surewrite.retry.Idempotent.WhenExhausted.BACKLOG;

import com.datastax.oss.driver.api.core.cql.BatchType;
import io.surewrite.retry.Idempotent;
import io.surewrite.write.WriteReceipt;
import java.time.Duration;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.cql.QueryOptions;
import org.springframework.stereotype.Component;

/** How a request to list an item is kept while the database is away. A batch takes no preparing, which nobody can do then. */
@Component
class KeptRequests {

    /** What has not become an item by then is forgotten: nobody wants to sell a day later without being asked. */
    static final Duration FORGOTTEN_AFTER = Duration.ofHours(24);

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final CassandraOperations cassandra;

    KeptRequests(CassandraOperations cassandra) {
        this.cassandra = cassandra;
    }

    /**
     * Writes the request, now or when the database is back. One attempt, and a short one: whoever comes here has waited
     * already, and what is not written is on the disk.
     */
    @Idempotent(attempts = 1, whenExhausted = BACKLOG)
    WriteReceipt keep(Item item) {
        cassandra
                .batchOps(BatchType.UNLOGGED)
                .withQueryOptions(QueryOptions.builder().timeout(PATIENCE).build())
                .insert(
                        ListingRequest.of(item),
                        InsertOptions.builder().ttl(FORGOTTEN_AFTER).build())
                .execute();
        return WriteReceipt.WRITTEN;
    }
}
