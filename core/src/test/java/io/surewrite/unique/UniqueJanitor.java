package io.surewrite.unique;

import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ExistingRowClaims.Finding;
import io.surewrite.unique.ExistingRowClaims.ScannedClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Removes claims of writers that are gone, and claims and repairs the values of rows, while the others are at work. */
final class UniqueJanitor extends UniqueSite {

    private static final int ROUNDS = 6;

    private final World world;
    private final SimShape shape;
    private final Focus focus;

    UniqueJanitor(Surroundings all, Focus focus, SimProcess process, long skewMicros) {
        super(all, process, skewMicros);
        this.world = all.world();
        this.shape = all.shape();
        this.focus = focus;
    }

    void live() {
        for (int i = 0; i < ROUNDS; i++) {
            process.after(world.between(0, 8 * World.SECOND), this::clean);
        }
    }

    /** Without an answer it leaves things to the next who comes. */
    private void clean() {
        if (time.clocks().problem() != null) {
            return;
        }
        UniqueConstraint constraint = world.oneOf(shape.constraints());
        var unused = world.chance(0.5) ? sweep(constraint) : repair(constraint, world.oneOf(focus.entities()));
    }

    private CompletionStage<?> sweep(UniqueConstraint constraint) {
        List<@Nullable String> wanted = new ArrayList<>();
        constraint
                .components()
                .forEach(component -> wanted.add(
                        world.oneOf(component.property().equals("key") ? focus.entities() : focus.wanted())));
        ClaimKey key = WantedValue.keyOf(constraint, new UniqueValue(wanted));
        return parts.claims()
                .read(key)
                .thenCompose(seen -> seen.isEmpty()
                        ? Stages.done(Finding.RIGHT)
                        : claims(constraint).checkClaim(new ScannedClaim(key, seen.get())));
    }

    private CompletionStage<?> repair(UniqueConstraint constraint, String owner) {
        return rows.read(owner).thenCompose(row -> {
            Optional<UniqueValue> shown = row.value(constraint);
            return shown.isEmpty()
                    ? Stages.done(Finding.RIGHT)
                    : claims(constraint).check(row, shown.get());
        });
    }

    private ExistingRowClaims claims(UniqueConstraint constraint) {
        return new ExistingRowClaims(parts, rows, constraint, true, duplicate -> Stages.done());
    }
}
