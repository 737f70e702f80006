package io.surewrite.unique;

import io.surewrite.simulation.Patience;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The contract in the simulation. */
class SimRowsTests extends ConstrainedRowsContract {

    private final World world = new World(1, false);
    private final SimCluster cluster = new SimCluster(world, SimCluster.Faults.NONE, 0, World.SECOND);
    private final SimTable table = new SimTable(TWO);

    @Override
    SimRows rows(SimShape shape) {
        return new SimRows(world, new SimProcess("p1", world, 0), cluster, shape, table, pinned -> pinned);
    }

    @Override
    EntityWrite save(@Nullable String c0, @Nullable String c1, @Nullable String c2) {
        return rows(TWO).write(key, Arrays.asList(c0, c1, c2), false);
    }

    @Override
    EntityWrite overwrite(@Nullable String c0, @Nullable String c1, @Nullable String c2) {
        return rows(TWO).write(key, Arrays.asList(c0, c1, c2), true);
    }

    @Override
    Patience patience() {
        return Patience.in(world);
    }
}
