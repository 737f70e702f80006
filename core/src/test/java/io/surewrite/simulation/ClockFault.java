package io.surewrite.simulation;

import io.surewrite.simulation.SimCluster.Node;
import java.util.function.Supplier;

/** Which clock is set wrong in the middle of a schedule, by ten minutes in one direction or the other. */
public enum ClockFault {
    /** None. */
    NONE,
    /** That of a process, and maybe right again later. */
    OF_A_PROCESS,
    /** That of a node. */
    OF_A_NODE,
    /** That of a node, and nobody heeds what is measured: a planted bug. */
    OF_A_NODE_UNHEEDED;

    private static final long LEAST = 595 * World.SECOND;
    private static final long MOST = 605 * World.SECOND;

    /** {@return whether clocks are measured at all} */
    public boolean isWatched() {
        return this != NONE;
    }

    /** {@return whether it is a node's} */
    public boolean isOfANode() {
        return this == OF_A_NODE || this == OF_A_NODE_UNHEEDED;
    }

    /** Sets a clock wrong within so many nanoseconds, a node's or that of one of the clients. */
    public void befall(World world, SimCluster cluster, Supplier<SimProcess> client, long within, Runnable nodeJumps) {
        long when = isWatched() ? world.between(0, within) : 0;
        if (isOfANode()) {
            Node node = world.oneOf(cluster.nodes());
            world.after(when, null, () -> {
                node.setClock(jump(world));
                world.note(node.name(), node::toString);
                nodeJumps.run();
            });
        } else if (this == OF_A_PROCESS) {
            SimProcess process = client.get();
            long by = jump(world);
            world.after(when, null, () -> process.setClock(by));
            if (world.chance(0.5)) {
                world.after(when + world.between(0, within), null, () -> process.setClock(-by));
            }
        }
    }

    private static long jump(World world) {
        long by = world.between(LEAST, MOST);
        return world.chance(0.5) ? by : -by;
    }
}
