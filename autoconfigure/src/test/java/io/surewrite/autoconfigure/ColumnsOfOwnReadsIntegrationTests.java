package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnReads;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What leases and the journal read names its columns, so their answers come without them (decision 82). The guard's reads have
 * a test beside its writes.
 */
@LongLane
class ColumnsOfOwnReadsIntegrationTests extends CassandraTest {

    @Test
    void readsLeasesAndTheJournalWithoutTheColumnsOfTheAnswer() {
        application().withPropertyValues("surewrite.journal.enabled=true").run(context -> {
            CqlSession own = context.getBean(CqlSession.class);
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            try (Lease held = locks.acquire("columns", Duration.ofSeconds(5))) {
                assertThat(locks.inspect("columns")).isPresent();
                assertComesWithoutColumns(own, "SELECT epoch, lease_id, holder", held.name());
            }
            AttributeJournal journal = context.getBean(AttributeJournal.class);
            journal.record("columns", Map.of("name", "Ann"), Instant.now());
            assertThat(journal.current("columns").value("name")).isPresent();
            assertComesWithoutColumns(own, "kind < 'b'", "columns");
        });
    }

    private static void assertComesWithoutColumns(CqlSession own, String part, String key) {
        assertThat(OwnReads.prepared(own))
                .filteredOn(query -> query.contains(part))
                .hasSize(1)
                .allSatisfy(query -> OwnReads.assertComesWithoutColumns(own, query, key));
    }
}
