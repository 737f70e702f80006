package io.surewrite.unique;

import io.surewrite.internal.clock.ClockGuard;
import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.internal.clock.SimClocks;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** The clock, timers and write timestamps of one process. */
final class SimUniqueTime implements UniqueTime {

    static final long EPOCH_MICROS = 1_000_000_000;

    private final World world;
    private final SimProcess process;
    private final long skewMicros;
    private final boolean showsTimestamps;
    private LongSupplier nanos;
    private ClockCheck clocks = ClockCheck.NONE;
    private ClockCheck ofWrites = ClockCheck.NONE;
    private long last;
    private final Map<Long, Long> scopes = new HashMap<>();

    /**
     * @param skewMicros how far its wall clock is off
     * @param showsTimestamps a planted bug: whether it takes its timestamps for the clock
     */
    SimUniqueTime(World world, SimProcess process, long skewMicros, boolean showsTimestamps) {
        this.world = world;
        this.process = process;
        this.skewMicros = skewMicros;
        this.showsTimestamps = showsTimestamps;
        this.nanos = process::nanos;
    }

    /** Has the clocks measured from now on. */
    ClockGuard watch(SimCluster cluster, Duration skewMargin) {
        nanos = SimClocks.wakeful(process);
        ClockGuard guard = SimClocks.watch(world, process, cluster, this::clock, skewMargin);
        clocks = guard.ofAcquiring();
        ofWrites = guard::problem;
        return guard;
    }

    /** Does not heed them any more. */
    void ignoreClocks() {
        clocks = ClockCheck.NONE;
        ofWrites = ClockCheck.NONE;
    }

    @Override
    public ClockCheck clocks() {
        return clocks;
    }

    @Override
    public ClockCheck ofWrites() {
        return ofWrites;
    }

    @Override
    public long wallMicros() {
        return showsTimestamps ? nextTimestamp() : clock();
    }

    private long clock() {
        return SimClocks.wallMicros(process) + skewMicros;
    }

    @Override
    public long nanos() {
        return nanos.getAsLong();
    }

    @Override
    public long nextTimestamp() {
        last = Math.max(clock(), last + 2);
        return last;
    }

    /** As if its clock had been ten minutes ahead for a moment. */
    void drawAhead() {
        last = Math.max(last, clock() + 600_000_000);
    }

    /** {@return a scope that decides a timestamp now} */
    WriteScope newScope() {
        WriteScope scope = WriteScope.at(nextTimestamp());
        scopes.put(scope.timestamp(), nanos());
        return scope;
    }

    @Override
    public long ageOf(WriteScope scope) {
        return nanos() - scopes.getOrDefault(scope.timestamp(), nanos());
    }

    @Override
    public void after(long nanos, Runnable task) {
        process.after(nanos, task);
    }
}
