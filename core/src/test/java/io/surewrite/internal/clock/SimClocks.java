package io.surewrite.internal.clock;

import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Node;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The real classes that deal with clocks, over those of the simulation. */
public final class SimClocks {

    /** What clocks show at the beginning, in nanoseconds. */
    private static final long EPOCH = 1_000 * World.SECOND;

    private SimClocks() {}

    /** {@return the clock of deadlines, over a process whose wall clock may jump} */
    public static LongSupplier wakeful(SimProcess process) {
        return new WakefulClock(process::nanos, () -> TimeUnit.NANOSECONDS.toMillis(process.wallNanos()))::nanos;
    }

    /** {@return a source of write timestamps over a clock in microseconds} */
    public static WriteTimestamps timestamps(LongSupplier micros) {
        return new WriteTimestamps(micros);
    }

    /** {@return the time of day of a process, in microseconds} */
    public static long wallMicros(SimProcess process) {
        return (EPOCH + process.wallNanos()) / 1_000;
    }

    /**
     * Has a process measure the clocks from now on, every two seconds.
     *
     * @param wallMicros the clock that stamps its writes
     * @param margin how far clocks may be apart
     */
    public static ClockGuard watch(
            World world, SimProcess process, SimCluster cluster, LongSupplier wallMicros, Duration margin) {
        ClockGuard guard = new ClockGuard(wallMicros);
        var unused = guard.start(
                new SimNodes(world, process, cluster, wallMicros),
                new ClockGuard.Settings(margin, Duration.ofSeconds(5)),
                report -> process.note(() -> "measured the clocks: " + report));
        return guard;
    }

    /** The looks of a guard keep no world from coming to rest. */
    private record SimNodes(World world, SimProcess process, SimCluster cluster, LongSupplier wall)
            implements ClockGuard.NodeClocks {

        @Override
        public Map<String, Supplier<CompletionStage<Long>>> nodes() {
            return cluster.nodes().stream().collect(Collectors.toMap(Node::name, node -> () -> millisOf(node)));
        }

        private CompletionStage<Long> millisOf(Node node) {
            return cluster.ask(
                    process,
                    node,
                    () -> "what time is it, " + node.name(),
                    asked -> (EPOCH + world.now() + asked.skew()) / World.MILLIS);
        }

        @Override
        public boolean isClosed() {
            return process.isCrashed();
        }

        @Override
        public long nanos() {
            return process.nanos();
        }

        @Override
        public long wallMicros() {
            return wall.getAsLong();
        }

        @Override
        public void after(long nanos, Runnable task) {
            world.afterIfAtAll(nanos, process, task);
        }

        @Override
        public Duration interval(boolean calm) {
            return Duration.ofSeconds(2);
        }
    }
}
