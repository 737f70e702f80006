package io.surewrite.unique;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.simulation.Patience;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.InEachCell;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on a real server. */
@InEachCell(InEachCell.Subject.UNIQUE_VALUES)
class ClaimStoreIntegrationTests extends CassandraTest {

    private static UniqueFixture fixture;

    @BeforeAll
    static void createTable() {
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT) // Some wait for the end of a reservation.
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
}
