package io.surewrite.lease.tenure;

import io.surewrite.simulation.Patience;
import io.surewrite.test.CassandraTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
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

    @AfterAll
    static void close() {
        leases.close();
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

    @Nested
    class Rows extends LeaseRowsContract {

        @Override
        LeaseStore store() {
            return store;
        }

        @Override
        LeaseSweep.Rows rows() {
            return store;
        }

        @Override
        Patience patience() {
            return Patience.REAL;
        }
    }
}
