package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.simulation.Patience;
import io.surewrite.test.CassandraTest;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contracts on a real server. */
class LeaseStoreIntegrationTests extends CassandraTest {

    private static CassandraLeases leases;
    private static CassandraLeaseStore store;

    @BeforeAll
    static void createTable() {
        leases = new CassandraLeases(session);
        store = new CassandraLeaseStore(session, leases.writes(), "surewrite_lease");
    }

    /** Thrown at the caller, it would leave the name asked for, for ever. */
    @Test
    void answersWhereAValueCannotBeEncoded() {
        LeaseWrite half = new LeaseWrite("\uD83D", UUID.randomUUID(), 0, 5, "me", Duration.ofSeconds(5), 0, false, 1);
        assertThat(store.acquire(half, Duration.ofSeconds(5)).toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(30))
                .isInstanceOf(LeaseAnswer.Unclear.class);
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT) // One waits for the end of a lease.
    class Store extends LeaseStoreContract {

        @Override
        LeaseStore store() {
            return store;
        }

        @Override
        Patience patience() {
            return Patience.REAL;
        }
    }
}
