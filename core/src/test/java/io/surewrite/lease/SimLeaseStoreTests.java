package io.surewrite.lease;

import io.surewrite.simulation.Patience;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contracts in the simulation, and in the store of the tests that have no server. */
class SimLeaseStoreTests {

    private final World world = new World(1, false);
    private final SimCluster cluster = new SimCluster(world, SimCluster.Faults.NONE, 0, World.SECOND);
    private final SimProcess process = new SimProcess("p1", world, 0);
    private final SimLeaseTable table = new SimLeaseTable(world, cluster);
    private final SimLeaseStore store = new SimLeaseStore(process, cluster, table);

    @Nested
    class Store extends LeaseStoreContract {

        @Override
        LeaseStore store() {
            return store;
        }

        @Override
        Patience patience() {
            return Patience.in(world);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT) // One waits for the end of a lease.
    class InMemory extends LeaseStoreContract {

        private final InMemoryLeaseStore inMemory = new InMemoryLeaseStore(ForkJoinPool.commonPool());

        @Override
        LeaseStore store() {
            return inMemory;
        }

        @Override
        Patience patience() {
            return Patience.REAL;
        }
    }
}
