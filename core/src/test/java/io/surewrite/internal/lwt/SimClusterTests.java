package io.surewrite.internal.lwt;

import io.surewrite.simulation.Patience;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Decision;
import io.surewrite.simulation.SimCluster.Faults;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Supplier;

/** The contract in the simulation. */
class SimClusterTests extends ConditionalWritesContract {

    private static final long HOUR = 3_600 * World.SECOND;

    private final World world = new World(1, false);
    private final Queue<Fate> fates = new ArrayDeque<>();
    private final SimCluster cluster = new SimCluster(world, this::next, 0, World.SECOND / 10);
    private final SimProcess process = new SimProcess("p1", world, 0);
    private Shown row = new Shown(null, null);
    private boolean exists;

    private Faults next() {
        Fate fate = fates.size() > 1 ? fates.remove() : fates.element();
        return switch (fate) {
            case ANSWERED -> Faults.NONE;
            case REQUEST_LOST -> new Faults(1, 0, 0, 0, 0, 0);
            case ANSWER_LOST -> new Faults(0, 1, 0, 0, 0, 0);
            case LATE -> new Faults(0, 0, 1, 0, 0, HOUR);
        };
    }

    @Override
    Known take(String token, Fate... how) {
        return settle(token, how, () -> row.token() == null, () -> new Shown(token, row.fence()), true);
    }

    @Override
    Known free(String token, Fate... how) {
        return settle("", how, () -> token.equals(row.token()), () -> new Shown(null, row.fence()), true);
    }

    @Override
    Known write(String token, long fence, Fate... how) {
        return settle(
                token, how, () -> row.fence() != null && row.fence() < fence, () -> new Shown(token, fence), false);
    }

    private Known settle(
            String token, Fate[] how, Supplier<Boolean> condition, Supplier<Shown> changed, boolean tokenAlone) {
        fates.clear();
        fates.addAll(List.of(how));
        Decision<Shown> decision = Patience.in(world)
                .await(cluster.settle(
                        process,
                        () -> "write " + token,
                        node -> {
                            if (!condition.get()) {
                                Shown shown = tokenAlone ? new Shown(row.token(), null) : row;
                                return new Decision<>(false, exists ? shown : null);
                            }
                            row = changed.get();
                            exists = true;
                            return new Decision<>(true, null);
                        },
                        shown -> Objects.equals(shown.token(), token),
                        World.SECOND));
        if (decision == null) {
            return new Known(End.UNKNOWN, null);
        }
        return decision.applied() ? new Known(End.APPLIED, null) : new Known(End.REJECTED, decision.row());
    }

    @Override
    void lateOnesArrive() {
        world.run(Long.MAX_VALUE);
    }

    @Override
    void begin(long fence) {
        row = new Shown(row.token(), fence);
    }

    @Override
    Shown row() {
        return row;
    }
}
