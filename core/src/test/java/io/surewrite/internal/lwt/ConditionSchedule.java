package io.surewrite.internal.lwt;

import io.surewrite.internal.clock.SimClocks;
import io.surewrite.internal.lwt.ConditionLedger.Call;
import io.surewrite.internal.lwt.SimConditions.Form;
import io.surewrite.internal.lwt.SimConditions.Request;
import io.surewrite.internal.lwt.SimConditions.State;
import io.surewrite.internal.lwt.SimConditions.Table;
import io.surewrite.retry.SimRetry;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Faults;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;

/**
 * One run of two processes whose callers want one row by conditions, under the retry that ships. They lose requests and
 * answers, find too few replicas, stand still and die; what is late may arrive after its call has ended. Of some calls another
 * statement fails after the condition held, so that they are repeated as a whole.
 */
final class ConditionSchedule {

    private static final long LIMIT = 900 * World.SECOND;

    private final World world;
    private final PlantedConditionBug plant;
    private final Life life;
    private final boolean withId;
    private final SimCluster cluster;
    private final ConditionLedger ledger;
    private final Table table;
    private final double refused;
    private final List<SimProcess> processes = new ArrayList<>();
    private int calls;
    private boolean inserted;

    /** What the row lives through: it is never inserted again after it was deleted. */
    private enum Life {
        FROM_ITS_INSERT(Form.INSERT, Form.UPDATE),
        FROM_AN_INSERT_UNDER_A_NEW_ID(Form.INSERT, Form.UPDATE),
        TO_ITS_DELETION(Form.UPDATE, Form.DELETE),
        OF_TEXTS_FROM_ITS_INSERT(Form.TEXT_INSERT, Form.TEXT_UPDATE),
        OF_TEXTS_TO_ITS_DELETION(Form.TEXT_UPDATE, Form.TEXT_DELETE);

        private final Form first;
        private final Form second;

        Life(Form first, Form second) {
            this.first = first;
            this.second = second;
        }

        boolean begins() {
            return first.inserts();
        }
    }

    ConditionSchedule(long seed, PlantedConditionBug plant, boolean recording) {
        this.world = new World(seed, recording);
        this.plant = plant;
        this.life = world.oneOf(List.of(Life.values()));
        this.withId = life.first.isText() || (life != Life.FROM_AN_INSERT_UNDER_A_NEW_ID && world.chance(0.7));
        this.ledger = new ConditionLedger(world::violate, !life.begins());
        this.table = new Table(ledger, life.begins() ? null : new State(0, new UUID(2, 0)));
        Faults faults = new Faults(rate(), rate(), rate(), rate(), rate(), 10 * World.SECOND);
        this.refused = world.chance(0.1) ? 0.9 : rate();
        this.cluster = new SimCluster(world, faults, 0, world.between(100, 700) * World.MILLIS);
    }

    private double rate() {
        return world.chance(0.5) ? 0 : world.fraction() * 0.4;
    }

    ConditionLedger run() {
        long callers = world.chance(0.05) ? world.between(7, 64) : world.between(1, 6);
        world.note("world", () -> "%s, %s, planted: %s".formatted(life, withId ? "with write ids" : "without", plant));
        for (int i = 1; i <= 2; i++) {
            SimProcess process = new SimProcess("p" + i, world, 200);
            processes.add(process);
            SimRetry retry =
                    new SimRetry(process, SimClocks.timestamps(() -> SimClocks.wallMicros(process)), world.number());
            SimConditions way = new SimConditions(world, cluster, process, table, plant, () -> world.chance(refused));
            for (long n = i; n <= callers; n += 2) {
                new Caller(process, way, retry).pause();
            }
            new Reader(process, way).pause();
            if (world.chance(0.2)) {
                world.after(
                        world.between(0, 5 * World.SECOND),
                        null,
                        () -> process.sleep(world.between(0, 5 * World.SECOND)));
            }
            if (world.chance(0.1)) {
                world.after(world.between(0, 8 * World.SECOND), null, process::crash);
            }
        }
        world.run(LIMIT);
        if (processes.stream().noneMatch(SimProcess::isCrashed)) {
            ledger.rest();
        }
        return ledger;
    }

    String history() {
        return world.history();
    }

    private final class Reader {

        private final SimProcess process;
        private final SimConditions way;
        private long rounds = world.between(0, 10);

        Reader(SimProcess process, SimConditions way) {
            this.process = process;
            this.way = way;
        }

        void pause() {
            if (rounds-- > 0) {
                process.after(
                        world.between(0, World.SECOND),
                        () -> way.read(new Call("reader")).whenComplete((row, lost) -> {
                            if (lost == null) {
                                row.ifPresent(state -> ledger.shown(
                                        process.name(),
                                        state.version(),
                                        Optional.ofNullable(withId ? state.writeId() : null)));
                            }
                            pause();
                        }));
            }
        }
    }

    private final class Caller {

        private final SimProcess process;
        private final SimConditions way;
        private final SimRetry retry;
        private long rounds = world.between(1, 3);

        Caller(SimProcess process, SimConditions way, SimRetry retry) {
            this.process = process;
            this.way = way;
            this.retry = retry;
        }

        void pause() {
            if (rounds-- > 0) {
                process.after(world.between(0, World.SECOND), this::read);
            }
        }

        private void read() {
            way.read(new Call("a caller")).whenComplete((row, lost) -> {
                Form form = lost == null ? form(row) : null;
                if (form == null) {
                    pause();
                } else {
                    process.after(
                            world.chance(0.5) ? 0 : world.between(0, World.SECOND / 2),
                            () -> new Work(this, form, row.orElse(null)).begin());
                }
            });
        }

        /** What can be done with what was read, or null. */
        private @Nullable Form form(Optional<State> row) {
            if (row.isEmpty()) {
                // Nobody else knows the id that a call makes.
                boolean mayInsert = life != Life.FROM_AN_INSERT_UNDER_A_NEW_ID || !inserted;
                inserted |= life.begins();
                return life.begins() && mayInsert ? life.first : null;
            }
            return life.begins() || world.chance(0.2) ? life.second : life.first;
        }
    }

    /** One call. */
    private final class Work {

        private final Caller caller;
        private final Form form;
        private final Call call;
        private final long began;
        private final boolean readsAgain;
        private final double failsAfterwards = world.chance(0.7) ? 0 : 0.6;
        private @Nullable State seen;
        private int attempts;

        Work(Caller caller, Form form, @Nullable State seen) {
            this.caller = caller;
            this.form = form;
            this.seen = form.inserts() ? null : seen;
            // A text that compares the id that it writes holds again and again.
            this.readsAgain = !form.isText() && world.chance(0.3);
            this.call = ledger.call("%s.%d".formatted(caller.process.name(), ++calls));
            this.began = caller.process.nanos();
        }

        void begin() {
            caller.retry.call(this::attempt).whenComplete((failure, impossible) -> {
                ConditionLedger.End end = ConditionLedger.End.of(failure);
                caller.process.note(() -> "%s ends %s".formatted(call, end));
                ledger.ended(call, end);
                caller.pause();
            });
        }

        private CompletionStage<?> attempt(WriteScope scope) {
            if (attempts++ == 0 || !readsAgain || form.inserts()) {
                return write(scope);
            }
            return caller.way.read(call).thenCompose(row -> {
                if (row.isPresent()) {
                    seen = row.get();
                }
                return write(scope);
            });
        }

        private CompletionStage<?> write(WriteScope scope) {
            UUID writeId = withId ? plant.writeId(scope.statements()) : null;
            ConditionLedger.Write write = ledger.write(call, seen == null ? -1 : seen.version());
            Request request = new Request(
                    form, write, seen, writeId, life == Life.FROM_AN_INSERT_UNDER_A_NEW_ID && form.inserts());
            return caller.way.settle(call, scope, request, this::left).thenCompose(end -> {
                caller.process.note(() -> "%s is settled: %s".formatted(write, end.applied()));
                ledger.settled(write, end.applied());
                if (!end.applied()) {
                    return failed(new OptimisticLockingFailureException("another has won"));
                }
                if (world.chance(failsAfterwards)) {
                    call.lost();
                    return failed(SimConditions.tooFew());
                }
                return CompletableFuture.completedFuture(null);
            });
        }

        private Duration left() {
            return SimRetry.DEADLINE.minusNanos(caller.process.nanos() - began);
        }

        private static CompletionStage<@Nullable Void> failed(RuntimeException failure) {
            return CompletableFuture.failedFuture(new CompletionException(failure));
        }
    }
}
