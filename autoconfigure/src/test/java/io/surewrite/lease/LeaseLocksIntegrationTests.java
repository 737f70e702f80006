package io.surewrite.lease;

import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.test.CassandraTest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract on a real server. */
class LeaseLocksIntegrationTests extends CassandraTest {

    private static CassandraLeases leases;

    @BeforeAll
    static void createTable() {
        leases = new CassandraLeases(session);
    }

    @Nested
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
