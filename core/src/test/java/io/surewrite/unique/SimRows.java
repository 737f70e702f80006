package io.surewrite.unique;

import static io.surewrite.unique.SimTable.NEVER;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.unique.SimTable.Mutation;
import io.surewrite.unique.SimTable.TimedValue;
import io.surewrite.unique.UniqueLedger.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The entities' table, as one process reaches it. */
final class SimRows implements ConstrainedRows {

    private final SimShape shape;
    private final World world;
    private final SimProcess process;
    private final SimCluster cluster;
    private final SimTable table;
    private final LongUnaryOperator timestamps;
    private PlantedBug bug = PlantedBug.NOTHING;
    private @Nullable Operation deletion;
    private long lostUntil;
    private long unansweredUntil;
    private long firstWriteArrivesAt = -1;
    private Runnable afterFirstWrite = () -> {};
    private Runnable whenCrashed = () -> {};

    /**
     * @param timestamps what becomes of the pinned timestamps of entities' writes
     */
    SimRows(
            World world,
            SimProcess process,
            SimCluster cluster,
            SimShape shape,
            SimTable table,
            LongUnaryOperator timestamps) {
        this.shape = shape;
        this.world = world;
        this.process = process;
        this.cluster = cluster;
        this.table = table;
        this.timestamps = timestamps;
    }

    void plant(PlantedBug planted) {
        bug = planted;
    }

    /** The next write arrives then, or right away if that is past, and is never answered. */
    void delayFirstWrite(long arrivesAt) {
        firstWriteArrivesAt = arrivesAt;
    }

    /** Until then no write arrives. */
    void loseWrites(long until) {
        lostUntil = until;
    }

    /** Until then no write is answered. */
    void loseAnswers(long until) {
        unansweredUntil = until;
    }

    /** Deletions of its row are the operation's until it ends; all others are takeovers'. */
    SimRows deleting(Operation operation) {
        deletion = operation;
        return this;
    }

    void afterFirstWrite(Runnable action) {
        afterFirstWrite = action;
    }

    void whenCrashed(Runnable action) {
        whenCrashed = action;
    }

    @Override
    public List<UniqueConstraint> constraints() {
        return shape.constraints();
    }

    @Override
    public boolean isNaturalKey(UniqueConstraint constraint) {
        return constraint.name().equals("natural");
    }

    @Override
    public String rowClaim() {
        return "row";
    }

    @Override
    public boolean mayMix() {
        return shape.mayMix();
    }

    @Override
    public CompletionStage<RowSnapshot> read(String owner) {
        return cluster.ask(process, null, () -> "read " + owner, node -> table.snapshot(owner));
    }

    @Override
    public CompletionStage<Void> delete(String owner, long timestamp) {
        Operation by = deletion != null && deletion.isOn(owner) ? deletion : null;
        return mutate(
                "delete", new Mutation(owner, timestamp, NEVER, cells(null, NEVER, NEVER, shape.columns()), false, by));
    }

    @Override
    public CompletionStage<Void> restore(RowSnapshot row, long timestamp) {
        List<@Nullable String> values =
                ((SimSnapshot) row).cells().stream().map(TimedValue::value).toList();
        List<@Nullable TimedValue> cells = cells(values, timestamp, timestamp - 1, values.size());
        for (int i = 0; i < cells.size(); i++) {
            if (shape.collects(i)) {
                cells.set(i, new TimedValue(timestamp, values.get(i)));
            }
        }
        if (bug == PlantedBug.RESTORED_IN_PART) {
            leaveOut(cells, false);
        }
        return mutate(
                "restore",
                new Mutation(row.owner(), NEVER, NEVER, cells, bug == PlantedBug.RESTORED_ON_TOP_OF_A_SET, null));
    }

    /** A write of a whole entity, or of its free columns. */
    EntityWrite write(String owner, List<@Nullable String> values, boolean overwrite) {
        return write(new Operation("write", owner, values, false, 0), overwrite);
    }

    /** The write of an operation. */
    EntityWrite write(Operation operation, boolean overwrite) {
        String owner = operation.owner;
        List<@Nullable String> values = operation.cells;
        return new EntityWrite(owner, constraint -> shape.value(constraint, owner, values), pinned -> {
            long timestamp = timestamps.applyAsLong(pinned);
            List<@Nullable TimedValue> cells = cells(values, timestamp, timestamp, values.size());
            if (bug == PlantedBug.ONLY_OTHER_COLUMNS && isUnchanged(owner, values)) {
                leaveOut(cells, true);
                return mutate("write", new Mutation(owner, NEVER, NEVER, cells, false, operation));
            }
            if (overwrite) {
                cells.replaceAll(cell -> cell != null && cell.value() == null ? null : cell);
            }
            return mutate(
                    "write",
                    new Mutation(owner, overwrite ? timestamp - 1 : NEVER, timestamp, cells, overwrite, operation));
        });
    }

    private boolean isUnchanged(String owner, List<@Nullable String> values) {
        SimSnapshot row = table.snapshot(owner);
        return IntStream.range(0, values.size())
                .allMatch(i -> !shape.isConstrained(i) || Objects.equals(row.cell(i), values.get(i)));
    }

    private void leaveOut(List<@Nullable TimedValue> cells, boolean constrained) {
        for (int i = 0; i < cells.size(); i++) {
            if (shape.isConstrained(i) == constrained) {
                cells.set(i, null);
            }
        }
    }

    /** A write of the free column alone. */
    CompletionStage<Void> update(Operation operation, long timestamp) {
        List<@Nullable TimedValue> cells = new ArrayList<>(Collections.nCopies(shape.columns(), null));
        cells.set(shape.columns() - 1, new TimedValue(timestamp, operation.cells.get(shape.columns() - 1)));
        return mutate("update", new Mutation(operation.owner, NEVER, NEVER, cells, false, operation));
    }

    private static List<@Nullable TimedValue> cells(
            @Nullable List<@Nullable String> values, long timestamp, long ofNulls, int columns) {
        List<@Nullable TimedValue> cells = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            String value = values == null ? null : values.get(i);
            cells.add(values == null ? null : new TimedValue(value == null ? ofNulls : timestamp, value));
        }
        return cells;
    }

    /**
     * @param step its name in the protocol
     */
    private CompletionStage<Void> mutate(String step, Mutation mutation) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        if (mutation.by() != null) {
            mutation.by().sends(mutation.timestamp());
        }
        if (world.now() < Math.max(lostUntil, unansweredUntil)) {
            process.note(() ->
                    "sends %s %s (%s lost)".formatted(step, mutation, world.now() < lostUntil ? "request" : "answer"));
            if (world.now() >= lostUntil) {
                late(mutation, world.now());
            }
            process.after(World.SECOND / 5, () -> written.completeExceptionally(timeout()));
            return written;
        }
        if (firstWriteArrivesAt >= 0) {
            process.note(() ->
                    "sends %s %s (arrives at %d ms)".formatted(step, mutation, firstWriteArrivesAt / World.MILLIS));
            late(mutation, firstWriteArrivesAt);
            firstWriteArrivesAt = -1;
            process.after(World.SECOND / 5, () -> written.completeExceptionally(timeout()));
            afterFirstWrite.run();
            if (process.isCrashed()) {
                whenCrashed.run();
            }
            return written;
        }
        return cluster.ask(process, null, () -> step + " " + mutation, node -> table.apply(mutation))
                .thenAccept(row -> {});
    }

    private void late(Mutation mutation, long at) {
        world.after(at - world.now(), null, () -> {
            String row = table.apply(mutation);
            world.note("late", () -> "write: " + row);
        });
    }

    static RuntimeException timeout() {
        return new DriverTimeoutException("no answer");
    }
}
