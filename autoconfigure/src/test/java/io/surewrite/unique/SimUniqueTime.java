package io.surewrite.unique;

import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;

/** The clock, timers and write timestamps of one process. */
final class SimUniqueTime implements UniqueTime {

    static final long EPOCH_MICROS = 1_000_000_000;

    private final World world;
    private final SimProcess process;
    private final long skewMicros;
    private long last;

    /**
     * @param skewMicros how far its wall clock is off
     */
    SimUniqueTime(World world, SimProcess process, long skewMicros) {
        this.world = world;
        this.process = process;
        this.skewMicros = skewMicros;
    }

    @Override
    public long nanos() {
        return process.nanos();
    }

    @Override
    public long nextTimestamp() {
        last = Math.max(EPOCH_MICROS + world.now() / 1000 + skewMicros, last + 2);
        return last;
    }

    @Override
    public void after(long nanos, Runnable task) {
        process.after(nanos, task);
    }
}
