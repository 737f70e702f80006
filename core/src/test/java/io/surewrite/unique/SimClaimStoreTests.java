package io.surewrite.unique;

import io.surewrite.simulation.Patience;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;

/** The contract in the simulation. */
class SimClaimStoreTests extends ClaimStoreContract {

    private final World world = new World(1, false);
    private final SimCluster cluster = new SimCluster(world, SimCluster.Faults.NONE, 0, World.SECOND);
    private final SimClaimTable table = new SimClaimTable(world, cluster);

    @Override
    ClaimStore store(UniqueSettings settings) {
        return new SimClaimStore(new SimProcess("p1", world, 0), cluster, table, settings);
    }

    @Override
    Patience patience() {
        return Patience.in(world);
    }
}
