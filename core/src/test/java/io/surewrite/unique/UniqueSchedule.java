package io.surewrite.unique;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.simulation.ClockFault;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Faults;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.unique.UniqueLedger.Operation;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run of the simulation: two or three processes insert, change, overwrite and delete a few rows with a few values;
 * what they do and what befalls them follows from the seed. In the end a newcomer wants each value, and must hear in time
 * whether it can have it.
 */
final class UniqueSchedule implements UniqueRun {

    private static final long DRIFT_PPM = 200;
    private static final long LIMIT = 1_200 * World.SECOND;

    /** For the newcomer's statements and its pauses between two tries. */
    private static final long SLACK = 2 * World.SECOND;

    private final World world;
    private final PlantedBug bug;
    private final Focus focus;
    private final UniqueSettings settings;
    private final SimCluster cluster;
    private final SimShape shape;
    private final SimTable table;
    private final SimClaimTable claims;
    private final UniqueLedger ledger;
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicLong lastOperation = new AtomicLong();
    private final AtomicLong lastFresh = new AtomicLong();
    private final long latest;
    private final long maxSkewMicros;
    private final List<Client> clients = new ArrayList<>();
    private final boolean cleaned;

    /** Whether the free column is also updated without the guard. */
    private final boolean updates;

    /** Whether all ids have one hash, so that nobody's timestamp is apart from another's by luck. */
    private final boolean drawsAlike;

    private final ClockFault clockFault;

    /**
     * @param only what all is about, or null if that is left to the seed
     */
    UniqueSchedule(
            long seed,
            PlantedBug bug,
            ClockFault clockFault,
            List<SimShape> shapes,
            @Nullable Focus only,
            boolean recording) {
        this.world = new World(seed, recording);
        this.clockFault = clockFault;
        this.cleaned = seed % 3 == 2; // not by chance, so that the schedules of the other seeds stay what they were
        this.updates = seed / 6 % 4 == 0;
        this.drawsAlike = seed % 2 == 1;
        this.bug = bug;
        this.focus = only == null ? world.oneOf(Focus.BY_CHANCE) : only;
        Duration margin = Duration.ofMillis(world.between(100, 400));
        long lease = world.between(2, 4);
        long pendingWait = focus != Focus.CROSSED && world.chance(0.5) ? 0 : world.between(100, 3000);
        long attemptTimeout = world.between(300, 1500);
        long timeout = world.between(2000, 15_000);
        this.settings = new UniqueSettings(
                Duration.ofSeconds(lease),
                margin,
                Duration.ofMillis(Math.min(pendingWait, timeout / 2 - 1)),
                Duration.ofMillis(attemptTimeout),
                Duration.ofMillis(timeout),
                true);
        this.latest = world.chance(0.3) ? 100 * World.MILLIS : world.between(1, 4 * lease) * World.SECOND;
        long drift = 2 * DRIFT_PPM * lease * World.SECOND / 1_000_000;
        this.cluster = new SimCluster(
                world,
                new Faults(rate(), rate(), world.chance(0.4) ? 0.3 : rate(), rate(), rate(), latest),
                margin.toNanos() - drift,
                world.between(100, 700) * World.MILLIS);
        this.maxSkewMicros = clockFault.isWatched()
                ? (margin.toNanos() - drift) / 2_000 // or the guard would refuse everything
                : world.chance(0.3) ? 5_000_000 : margin.toNanos() / 1000;
        this.shape = world.oneOf(shapes);
        this.table = new SimTable(shape);
        this.claims = bug.claims(world, cluster);
        this.ledger = new UniqueLedger(world, shape, table, claims);
        if (maxSkewMicros > margin.toNanos() / 1_000) {
            ledger.clocksDisagree();
        }
        world.check(ledger::check);
    }

    @Override
    public UniqueLedger run() {
        runAll();
        ledger.judgeRows();
        return ledger;
    }

    private void runAll() {
        world.note("world", settings::toString);
        world.note("world", () -> "%s, planted: %s".formatted(shape.constraints(), bug));
        if (world.chance(focus.rowsAtFirst)) {
            putRow("a", "x", 0);
            if (world.chance(0.3)) {
                putRow("b", "y", 1);
            }
        }
        for (long i = 1, processes = world.between(2, 3); i <= processes; i++) {
            clients.add(new Client(new SimProcess("p" + i, world, DRIFT_PPM)));
        }
        clients.forEach(Client::live);
        clockFault.befall(world, cluster, () -> world.oneOf(clients).process, 6 * World.SECOND, ledger::nodeJumps);
        if (clockFault == ClockFault.OF_A_PROCESS && world.chance(0.5)) {
            world.after(world.between(0, 6 * World.SECOND), null, world.oneOf(clients).time::drawAhead);
        }
        if (cleaned) {
            UniqueJanitor janitor =
                    new UniqueJanitor(surroundings(), focus, new SimProcess("janitor", world, DRIFT_PPM), skew());
            if (clockFault.isWatched()) {
                janitor.time.watch(cluster, settings.skewMargin());
            }
            janitor.live();
        }
        world.run(LIMIT);
        clients.forEach(Client::check);
        if (clockFault.isOfANode()) {
            return; // what the node wrote ahead of time keeps a newcomer waiting for as long
        }
        long calm = world.now();
        world.after(world.between(0, 2 * World.SECOND), null, () -> new Newcomer(calm).arrive());
        world.run(2 * LIMIT);
    }

    @Override
    public String history() {
        return world.history();
    }

    /** Most schedules know some kinds of faults only: the rarer the kinds, the deeper each gets. */
    private double rate() {
        return world.chance(0.5) ? 0 : world.fraction() * 0.25;
    }

    private void putRow(String owner, String value, int number) {
        List<@Nullable String> cells = new ArrayList<>(Collections.nCopies(shape.columns(), value));
        cells.set(shape.columns() - 1, "free" + number);
        surroundings().put(owner, cells, 0);
        ledger.put(owner);
    }

    private UniqueSite.Surroundings surroundings() {
        return new UniqueSite.Surroundings(world, cluster, shape, table, claims, settings, bug, this::freshId);
    }

    private long skew() {
        return world.between(-maxSkewMicros, maxSkewMicros);
    }

    /** A content of the free column that tells which operation has written it. */
    private String own() {
        return "o" + lastOperation.incrementAndGet();
    }

    private UUID freshId() {
        long id = lastId.incrementAndGet();
        return new UUID(drawsAlike ? id : 0, id);
    }

    /** Does one thing after the other, and again what became of nobody knows what. */
    private final class Client extends UniqueSite {

        private long rounds = clockFault.isWatched() ? world.between(3, 8) : world.between(1, 3);

        /** What its measurements say, whether it heeds them or not. */
        private ClockCheck measured = ClockCheck.NONE;

        private int repeats = 2;
        private @Nullable Operation current;

        Client(SimProcess process) {
            super(surroundings(), process, skew());
            process.company(step -> ledger.hasCompany(current, step));
            if (clockFault.isWatched()) {
                time.watch(cluster, settings.skewMargin());
                measured = time.clocks();
            }
            if (clockFault == ClockFault.OF_A_NODE_UNHEEDED) {
                time.ignoreClocks();
            }
        }

        void live() {
            if (world.chance(0.4)) {
                world.after(
                        world.chance(0.5) ? world.between(0, 60 * World.MILLIS) : world.between(0, 8 * World.SECOND),
                        null,
                        () -> process.sleep(someTime()));
            }
            if (world.chance(0.35)) {
                world.after(
                        world.chance(0.5) ? world.between(0, 60 * World.MILLIS) : world.between(0, 4 * World.SECOND),
                        null,
                        this::crash);
            }
            if (world.chance(0.2)) {
                process.atRequest(world.between(1, 40), this::crash);
            }
            next();
        }

        /** Often when a lease ends, as much happens then. */
        private long someTime() {
            return world.chance(0.5)
                    ? settings.lease().toNanos() + world.between(-200, 1_200) * World.MILLIS
                    : world.between(0, 5 * World.SECOND);
        }

        private void crash() {
            process.crash();
            if (current != null) {
                ledger.unknown(current);
            }
        }

        private void next() {
            if (rounds-- > 0) {
                long pause =
                        world.chance(0.6) ? world.between(0, 30 * World.MILLIS) : world.between(0, 5 * World.SECOND);
                process.after(pause, this::something);
            }
        }

        private void something() {
            double dice = world.fraction();
            double insert = focus.insertFresh;
            double insertKnown = insert + focus.insertKnown;
            double change = insertKnown + focus.change;
            double overwrite = change + focus.overwrite;
            // Where every write makes a row, or must not have another's timestamp, none is unguarded.
            double delete = !updates || shape.isNatural() || shape.collects() ? 1 : overwrite + focus.delete;
            // What is begun in spite of a measurement has rows and values of its own, to which nothing has happened
            // before.
            String mark = clockFault.isOfANode() && measured.problem() != null ? UniqueLedger.IN_SPITE : "";
            String known = mark + world.oneOf(focus.entities());
            List<@Nullable String> cells = cells(mark);
            if (dice < insertKnown) {
                String owner = dice < insert && !shape.isNatural() ? mark + "n" + lastFresh.incrementAndGet() : known;
                boolean plain = !shape.isNatural() && owner.equals(known);
                begin("insert", owner, cells, plain, save -> guard.insertAsync(rows, rows.write(save, false)));
            } else if (dice < change) {
                begin("change", known, cells, false, save -> guard.changeAsync(rows, rows.write(save, false)));
            } else if (dice < overwrite) {
                begin("overwrite", known, cells, false, save -> guard.overwriteAsync(rows, rows.write(save, true)));
            } else if (dice < delete) {
                List<@Nullable String> none = new ArrayList<>(Collections.nCopies(shape.columns(), null));
                begin("delete", known, none, false, deletion -> guard.deleteAsync(rows.deleting(deletion), known));
            } else {
                List<@Nullable String> free = new ArrayList<>(Collections.nCopies(shape.columns(), "."));
                free.set(shape.columns() - 1, own());
                begin(
                        "update",
                        known,
                        free,
                        true,
                        update -> time.ofWrites().problem() == null
                                ? rows.update(update, time.nextTimestamp())
                                : CompletableFuture.failedFuture(new ClockOffsetException("update", "")));
            }
        }

        private void begin(
                String what,
                String owner,
                List<@Nullable String> cells,
                boolean plain,
                Function<Operation, CompletionStage<Void>> call) {
            begin(new Operation(what, owner, cells, plain, world.now()), call);
        }

        private List<@Nullable String> cells(String mark) {
            List<@Nullable String> cells = new ArrayList<>();
            for (int i = 0; i < shape.columns() - 1; i++) {
                cells.add(world.chance(0.1) ? null : mark + world.oneOf(focus.wanted()));
            }
            cells.add(shape.collects() && world.chance(0.1) ? null : own());
            return cells;
        }

        /** The same operation with a content of its own. */
        private Operation again(Operation operation) {
            List<@Nullable String> cells = new ArrayList<>(operation.cells);
            int free = cells.size() - 1;
            if (cells.get(free) != null && !".".equals(cells.get(free))) {
                cells.set(free, own());
            }
            return new Operation(operation.what + " again", operation.owner, cells, operation.plain, world.now());
        }

        private void begin(Operation operation, Function<Operation, CompletionStage<Void>> call) {
            process.note(() -> "BEGINS " + operation);
            current = operation;
            ledger.begin(operation);
            WriteScope scope = world.chance(0.5) ? time.newScope() : null;
            if (clockFault.isWatched() && scope != null && world.chance(0.3)) {
                process.after(world.between(0, 6 * World.SECOND), () -> attempt(operation, call, scope, 3));
            } else {
                attempt(operation, call, scope, 3);
            }
        }

        private void attempt(
                Operation operation,
                Function<Operation, CompletionStage<Void>> call,
                @Nullable WriteScope scope,
                int attempts) {
            CompletionStage<Void> ended =
                    scope == null ? call.apply(operation) : scope.call(() -> call.apply(operation));
            ended.whenComplete((done, thrown) -> {
                Throwable failure = thrown == null ? null : DriverFailures.unwrapped(thrown);
                boolean again =
                        failure instanceof ClaimPendingException || failure instanceof ClaimsUnavailableException;
                if (scope != null && again && attempts > 1) {
                    process.note(() -> "tries again after " + failure.getMessage());
                    long pause = world.chance(0.5) ? world.between(0, 3 * World.SECOND) : 10 * World.MILLIS;
                    process.after(pause, () -> attempt(operation, call, scope, attempts - 1));
                } else {
                    end(operation, call, failure);
                }
            });
        }

        private void end(
                Operation operation, Function<Operation, CompletionStage<Void>> call, @Nullable Throwable failure) {
            current = null;
            process.note(() -> (failure == null ? "SUCCEEDED in " : "FAILED in ")
                    + operation
                    + (failure == null ? "" : ": " + failure));
            if (failure == null) {
                ledger.succeeded(operation, process.isClockSet());
            } else if (failure instanceof UnknownOutcomeException || failure instanceof DriverTimeoutException) {
                ledger.unknown(operation);
                if (repeats-- > 0) {
                    process.after(world.between(0, World.SECOND), () -> begin(again(operation), call));
                    return;
                }
            } else if (failure instanceof ClockOffsetException
                    || failure instanceof DuplicateValueException
                    || failure instanceof ClaimPendingException
                    || failure instanceof ClaimsUnavailableException) {
                ledger.failed(operation, failure);
            } else {
                world.violate("%s ends with %s".formatted(operation, failure));
            }
            next();
        }

        /** In the end everybody alive must have had every answer. */
        void check() {
            if (!process.isCrashed() && current != null) {
                world.violate("%s waits for an answer for ever".formatted(process.name()));
            }
        }
    }

    /** Comes when all is calm, in a process of its own, and must get a clear answer in time: U4. */
    private final class Newcomer extends UniqueSite {

        private final long calm;

        Newcomer(long calm) {
            super(surroundings(), new SimProcess("new", world, 0), skew());
            this.calm = calm;
        }

        void arrive() {
            cluster.heal();
            process.note(() -> "arrives; from now on nothing goes wrong");
            want(0);
        }

        private void want(int index) {
            if (index < Math.min(focus.wanted().size(), focus.entities().size())) {
                String value = focus.wanted().get(index);
                String owner = shape.isNatural() ? focus.entities().get(index) : "new" + index;
                List<@Nullable String> cells = new ArrayList<>(Collections.nCopies(shape.columns(), value));
                cells.set(shape.columns() - 1, own());
                want(index, new Operation("insert", owner, cells, false, world.now()), world.now());
            }
        }

        private void want(int index, Operation operation, long since) {
            ledger.begin(operation);
            CompletableFuture<Void> asked = guard.insertAsync(rows, rows.write(operation, operation.plain))
                    .toCompletableFuture();
            var unused = asked.whenComplete((done, thrown) -> {
                Throwable failure = thrown == null ? null : DriverFailures.unwrapped(thrown);
                process.note(() -> "%s: %s".formatted(operation, failure == null ? "SUCCEEDED" : failure));
                if (failure == null) {
                    ledger.succeeded(operation);
                    want(index + 1);
                } else if (failure instanceof DuplicateValueException) {
                    ledger.failed(operation, failure);
                    want(index + 1);
                } else if (failure instanceof ClaimPendingException) {
                    ledger.failed(operation, failure);
                    checkInTime(operation, since);
                    long ahead = claims.highest() - world.now();
                    process.after(
                            Math.max(100 * World.MILLIS, ahead / 10), () -> want(index, operation.again(), since));
                } else {
                    world.violate("U4/U5: %s ends with %s, though nothing goes wrong".formatted(operation, failure));
                }
            });
        }

        private void checkInTime(Operation operation, long since) {
            long leases = 2 * settings.lease().toNanos() + World.SECOND;
            if (world.now() > Math.max(Math.max(since, calm), claims.highest()) + leases + SLACK) {
                world.violate("U4: %s is blocked too long".formatted(operation));
            }
        }
    }
}
