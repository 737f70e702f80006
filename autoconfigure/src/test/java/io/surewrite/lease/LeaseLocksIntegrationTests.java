package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.test.CassandraTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The contract on a real server. */
class LeaseLocksIntegrationTests extends CassandraTest {

    private static CassandraLeases leases;

    @BeforeAll
    static void createTable() {
        leases = new CassandraLeases(session);
    }

    @AfterAll
    static void close() {
        leases.close();
    }

    @Test
    @ResourceLock("the table of leases")
    void goesOnAboveItsTokensWhenTheTableWasEmptied() throws Exception {
        try (CloseableLeaseLocks locks = leases.process(LeaseSettings.defaults("one"), new UnheardLeases())) {
            Lease before = locks.tryAcquire("emptied").orElseThrow();
            before.release();
            session.execute("TRUNCATE surewrite_lease");

            Lease after = locks.tryAcquire(LeaseRequest.of("emptied"), Duration.ofSeconds(5))
                    .orElseThrow();

            assertThat(after.token()).isGreaterThan(before.token());
        }
    }

    @Nested
    @ResourceLock(value = "the table of leases", mode = ResourceAccessMode.READ)
    class OnCassandra extends LeaseLocksContract {

        @Override
        CloseableLeaseLocks newProcess(LeaseSettings settings, LeaseEvents events) {
            return leases.process(settings, events);
        }

        @Override
        void clearTable(String lease) {
            leases.clear(lease);
        }
    }
}
