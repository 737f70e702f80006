package io.surewrite.unique;

import io.surewrite.simulation.Patience;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The contract in the simulation. */
class SimCollectionRowsTests extends CollectionRowsContract {

    private final World world = new World(1, false);
    private final SimCluster cluster = new SimCluster(world, SimCluster.Faults.NONE, 0, World.SECOND);
    private final SimTable table = new SimTable(ONE);

    @Override
    SimRows rows() {
        return new SimRows(world, new SimProcess("p1", world, 0), cluster, ONE, table, pinned -> pinned);
    }

    @Override
    EntityWrite save(String c0, @Nullable String elements) {
        return rows().write(key, Arrays.asList(c0, elements), false);
    }

    @Override
    EntityWrite overwrite(String c0, @Nullable String elements) {
        return rows().write(key, Arrays.asList(c0, elements), true);
    }

    @Override
    @Nullable
    String shown() {
        return table.snapshot(key).cell(1);
    }

    @Override
    Patience patience() {
        return Patience.in(world);
    }
}
