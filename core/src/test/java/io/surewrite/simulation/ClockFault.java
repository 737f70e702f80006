package io.surewrite.simulation;

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

    /** {@return by how much a clock jumps} */
    public static long jump(World world) {
        long by = world.between(LEAST, MOST);
        return world.chance(0.5) ? by : -by;
    }
}
