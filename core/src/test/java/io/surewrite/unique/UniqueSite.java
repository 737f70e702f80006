package io.surewrite.unique;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import java.util.UUID;
import java.util.function.Supplier;

/** A process of the simulation with its guard and its way to the tables. */
class UniqueSite {

    final SimProcess process;
    final SimUniqueTime time;
    final SimRows rows;
    final GuardParts parts;
    final ClaimingGuard guard;

    /** What all processes of a schedule share. */
    record Surroundings(
            World world,
            SimCluster cluster,
            SimShape shape,
            SimTable table,
            SimClaimTable claims,
            UniqueSettings settings,
            PlantedBug bug,
            Supplier<UUID> ids) {}

    UniqueSite(Surroundings all, SimProcess process, long skewMicros) {
        this.process = process;
        this.time = new SimUniqueTime(all.world(), process, skewMicros);
        this.rows = new SimRows(
                all.world(),
                process,
                all.cluster(),
                all.shape(),
                all.table(),
                all.bug().timestamps(time::nextTimestamp));
        rows.plant(all.bug());
        this.parts = new GuardParts(
                all.bug().store(process, all.cluster(), all.claims(), all.settings()),
                time,
                all.bug().rules(),
                all.settings(),
                all.ids().get().getLeastSignificantBits(),
                all.ids(),
                all.world()::fraction,
                ObservationRegistry.NOOP);
        this.guard = new ClaimingGuard(parts, constraint -> {
            throw new UnsupportedOperationException();
        });
    }
}
