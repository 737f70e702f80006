package io.surewrite.unique;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.SimTable.TimedValue;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
            Supplier<UUID> ids) {

        /** Puts a row there that was written before all else, with claims of its values but for the first so many. */
        void put(String owner, List<? extends @Nullable String> cells, int unclaimed) {
            long before = SimUniqueTime.EPOCH_MICROS - 1_000;
            List<TimedValue> written =
                    cells.stream().map(cell -> new TimedValue(before, cell)).toList();
            table.apply(new SimTable.Mutation(owner, SimTable.NEVER, before, List.copyOf(written)));
            WantedValue.keysOf(shape.constraints(), table.snapshot(owner)).stream()
                    .skip(unclaimed)
                    .forEach(key -> claims.put(key, new Claim(owner, ids.get(), ids.get(), before)));
        }
    }

    UniqueSite(Surroundings all, SimProcess process, long skewMicros) {
        this.process = process;
        boolean showsTimestamps = all.bug() == PlantedBug.WAITS_FOR_ITS_OWN_TIMESTAMPS;
        this.time = new SimUniqueTime(all.world(), process, skewMicros, showsTimestamps);
        this.rows = new SimRows(
                all.world(),
                process,
                all.cluster(),
                all.shape(),
                all.table(),
                all.bug().timestamps(time::nextTimestamp));
        rows.plant(all.bug());
        this.parts = new GuardParts(
                new SimClaimStore(process, all.cluster(), all.claims(), all.settings()),
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
