package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.test.CassandraTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What leases and the journal read names its columns, so their answers come without them (ADR 83). Each text is another
 * statement, also with a space more, of which nothing is known. The guard's reads have a test beside its writes.
 */
class ColumnsOfOwnReadsIntegrationTests extends CassandraTest {

    @Test
    void readsLeasesAndTheJournalWithoutTheColumnsOfTheAnswer() {
        application().withPropertyValues("surewrite.journal.enabled=true").run(context -> {
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            try (Lease held = locks.acquire("columns", Duration.ofSeconds(5))) {
                assertThat(locks.tryAcquire("columns")).isEmpty();
                assertComesWithoutColumns(context.getBean(CqlSession.class), "SELECT epoch, lease_id", held.name());
            }
            context.getBean(AttributeJournal.class).record("columns", Map.of("name", "Ann"), Instant.now());
            assertComesWithoutColumns(context.getBean(CqlSession.class), "SELECT kind, name, generation", "columns");
        });
    }

    private static void assertComesWithoutColumns(CqlSession session, String beginning, String key) {
        String text = session
                .execute("SELECT query_string FROM system.prepared_statements")
                .map(prepared -> Objects.requireNonNull(prepared.getString("query_string")))
                .all()
                .stream()
                .filter(query -> query.startsWith(beginning))
                .findFirst()
                .orElseThrow();
        assertThat(answerSize(session, text, key)).isLessThan(answerSize(session, text + " ", key));
    }

    private static int answerSize(CqlSession session, String query, String key) {
        ResultSet answer = session.execute(session.prepare(query).bind(key));
        assertThat(answer.getAvailableWithoutFetching()).isPositive();
        return answer.getExecutionInfo().getResponseSizeInBytes();
    }
}
