package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Patience;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.InEachCell;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueSettings;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on a real server. */
@InEachCell(InEachCell.Subject.UNIQUE_VALUES)
class ClaimStoreIntegrationTests extends CassandraTest {

    private static UniqueFixture fixture;

    @BeforeAll
    static void createTable() {
        fixture = new UniqueFixture(session, UniqueListener.NONE);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT) // Some wait for the end of a lease.
    class OnCassandra extends ClaimStoreContract {

        @Override
        ClaimStore store(UniqueSettings settings) {
            return fixture.store(settings);
        }

        @Override
        Patience patience() {
            return Patience.REAL;
        }
    }

    @Test
    void marksForHalfALeaseAndNoLessThanTwoSeconds() {
        assertThat(CassandraClaimStore.leaseOfMark(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
        assertThat(CassandraClaimStore.leaseOfMark(Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(2));
        assertThat(CassandraClaimStore.leaseOfMark(Duration.ofSeconds(6))).isEqualTo(Duration.ofSeconds(3));
        assertThat(CassandraClaimStore.leaseOfMark(Duration.ofSeconds(20))).isEqualTo(Duration.ofSeconds(10));
    }
}
