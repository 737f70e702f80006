package io.surewrite.unique;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Faults;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.Steps;
import io.surewrite.simulation.World;
import io.surewrite.unique.UniqueLedger.Operation;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A short schedule that leads to one of the places where a mistake shows, with the moments left to the seed: schedules
 * that are wholly random come there too, but seldom.
 */
final class UniqueStory implements UniqueRun {

    private static final long LEASE = 2 * World.SECOND;

    private static final Faults HARSH = new Faults(0.05, 0.05, 0.1, 0, 0, 2 * World.SECOND);

    /** The first of two that {@link UniqueSimulationTests} does not tell, as its seeds are known. */
    private static final int BEFORE_THE_BUILD = 100;

    /** The first of those of one row that several operations are at work on. */
    private static final int OF_ONE_ROW = 200;

    private final World world;
    private final UniqueSite.Surroundings all;
    private final UniqueLedger ledger;
    private final AtomicLong lastId = new AtomicLong();
    private final int story;

    /** Whether requests are lost, too, and processes die in the middle: not by chance, so that the others stay what they were. */
    private final boolean harsh;

    UniqueStory(long seed, PlantedBug bug, List<SimShape> shapes, boolean recording) {
        this(seed, bug, shapes, null, recording);
    }

    /** One of a row that was there before a constraint. */
    static UniqueStory beforeTheBuild(long seed, PlantedBug bug, boolean recording) {
        return new UniqueStory(seed, bug, SimShape.ALL, BEFORE_THE_BUILD + (int) (seed % 2), recording);
    }

    /** One of whole rows, which {@link UniqueSimulationTests} does not tell either. */
    static UniqueStory ofOneRow(long seed, RowStory which, PlantedBug bug) {
        return new UniqueStory(seed, bug, SimShape.ALL, which.number, false);
    }

    /** What befalls a whole row. */
    enum RowStory {
        /** A deletion and a save that changes no value, at the same time. */
        SAVED_WHILE_DELETED(OF_ONE_ROW),

        /** A deletion of unknown outcome comes after a save that is done. */
        DELETED_LATE(OF_ONE_ROW + 1),

        /** A save whose answers are lost goes on, and another one is done meanwhile. */
        SAVED_TWICE(OF_ONE_ROW + 2),

        /** A save arrives after a takeover has restored the row. */
        SAVED_AFTER_A_RESTORATION(OF_ONE_ROW + 3);

        private final int number;

        RowStory(int number) {
            this.number = number;
        }
    }

    private UniqueStory(long seed, PlantedBug bug, List<SimShape> shapes, @Nullable Integer only, boolean recording) {
        this.world = new World(seed, recording);
        this.harsh = seed % 4 == 3;
        UniqueSettings settings = new UniqueSettings(
                Duration.ofSeconds(2),
                Duration.ofMillis(100),
                Duration.ZERO,
                Duration.ofMillis(500),
                Duration.ofSeconds(10),
                false);
        this.story = only == null ? (int) world.between(0, 14) : only;
        SimShape shape = shapes.get(
                story == 4 || story == 11 || story / 100 * 100 == BEFORE_THE_BUILD ? 1 : story == 10 ? 2 : 0);
        SimTable table = new SimTable(shape);
        SimCluster cluster = new SimCluster(world, harsh ? HARSH : Faults.NONE, 50 * World.MILLIS, 200 * World.MILLIS);
        SimClaimTable claims = bug.claims(world, cluster);
        this.all = new UniqueSite.Surroundings(
                world, cluster, shape, table, claims, settings, bug, () -> new UUID(0, lastId.incrementAndGet()));
        this.ledger = new UniqueLedger(world, shape, table, claims);
        world.check(ledger::check);
    }

    /** The same, which counts its steps. */
    UniqueStory counting(Steps steps) {
        world.count(steps);
        return this;
    }

    @Override
    public UniqueLedger run() {
        long second = LEASE + world.between(-50, 1_100) * World.MILLIS;
        long shortly = second + world.between(0, 15 * World.MILLIS);
        switch (story) {
            case 0 -> { // claims, dies, and its write comes late: after another has the value
                new Actor("dead", 0, 0)
                        .insert("n1", "x")
                        .lateBy(world.between(0, 3 * LEASE))
                        .dies();
                new Actor("rival", 0, second).insert("n2", "x");
            }
            case 1 -> { // the late write comes between the rival's looks, and somebody builds on it
                new Actor("dead", 0, 0).insert("a", "x").lateBy(shortly).dies();
                new Actor("saver", 0, shortly + world.between(0, 8 * World.MILLIS)).change("a", "x");
                new Actor("rival", 0, second).insert("n2", "x");
            }
            case 2 -> { // a row is restored late, by the timestamp of a fast clock, while a slow one changes it
                put("a", "x");
                new Actor("dead", 20_000_000, 0).change("a", "y").diesUnheard();
                new Actor("rival", 0, second).insert("n2", "y").lateBy(second + millis(20, 500));
                new Actor("saver", 0, second + world.between(0, 100 * World.MILLIS)).change("a", "z");
                new Actor("other", 0, second + world.between(0, 400 * World.MILLIS)).insert("n3", "x");
            }
            case 3 -> { // stands still between its claim and its write, until another has the value
                new Actor("sleeper", 0, 0).insert("n1", "x").sleeps(millis(1, 8), second + LEASE);
                new Actor("rival", 0, second).insert("n2", "x");
            }
            case 4 -> { // one of two values makes it claim both again, above a fast clock's timestamp
                new Actor("fast", 5_000_000, 0).insert("a", "z", "y").diesUnheard();
                new Actor("slow", 0, millis(10, 60))
                        .insert("a", "x", "y")
                        .lateBy(world.between(LEASE, 4 * LEASE))
                        .dies();
                new Actor("rival", 0, second).insert("n2", "x", "w");
            }
            case 5 -> { // two die over a row that is not there; one comes late, before the other's value changes hands
                new Actor("dead", 0, 0).change("a", "x").lateBy(shortly).dies();
                new Actor("other", 0, millis(10, 60)).change("a", "y").diesUnheard();
                new Actor("saver", 0, shortly + world.between(0, 8 * World.MILLIS)).change("a", "x");
                new Actor("rival", 0, second).insert("n2", "y").lateBy(second + millis(20, 500));
            }
            case 6 -> { // the same over a row that is there: it is to be restored, when what came late is saved
                put("a", "z");
                new Actor("dead", 0, 0).change("a", "x").lateBy(shortly).dies();
                new Actor("other", 0, millis(10, 60)).change("a", "y").diesUnheard();
                new Actor("saver", 0, shortly + world.between(0, 30 * World.MILLIS)).change("a", "x");
                new Actor("rival", 0, second).insert("n2", "y").lateBy(second + millis(20, 500));
            }
            case 7 -> { // is acknowledged late, between what a takeover reads and what it writes
                long from = millis(1, 10);
                put("a", "z");
                new Actor("slow", 0, 0).change("a", "x").sleeps(from, second);
                new Actor("rival", 0, from + second - millis(0, 16)).insert("n2", "x");
            }
            case 8 -> { // a deletion arrives after a takeover has restored the row above it
                put("a", "z");
                new Actor("deleter", 0, 0).delete("a").losesWrites(second + world.between(0, 400 * World.MILLIS));
                new Actor("dead", 0, millis(10, 60)).change("a", "x").diesUnheard();
                new Actor("rival", 0, second).insert("n2", "x");
            }
            case 9 -> { // a row is deleted that was not there, as its write comes late
                new Actor("dead", 0, 0)
                        .change("a", "x")
                        .lateBy(millis(30, 1_000))
                        .dies();
                new Actor("deleter", 0, millis(10, 500)).delete("a");
            }
            case 10 -> { // two write the row in one instant, whose columns are unique together
                put("a", "z", "y");
                new Actor("one", 0, World.MILLIS).change("a", "x", "p");
                new Actor("other", 0, World.MILLIS).change("a", "w", "q");
            }
            case 11 -> { // two takeovers restore a row that a late write changes in between
                put("a", "z", "a");
                new Actor("late", 0, 0).change("a", "q", "r").lateBy(shortly).dies();
                new Actor("dead", 0, millis(10, 60)).change("a", "x", "y").diesUnheard();
                new Actor("rival", 0, second).insert("n2", "x", "e");
                new Actor("second", 0, second + world.between(0, 10 * World.MILLIS)).insert("n3", "f", "y");
            }
            case 12 -> { // a takeover restores a value that another is about to take, as it has come late
                put("a", "z");
                new Actor("late", 0, 0).change("a", "x").lateBy(shortly).dies();
                new Actor("dead", 0, millis(10, 60)).change("a", "y").diesUnheard();
                new Actor("rival", 0, second + world.between(0, 10 * World.MILLIS)).insert("n2", "y");
                new Actor("second", 0, second + world.between(0, 10 * World.MILLIS)).insert("n3", "x");
            }
            case 13 -> { // the row is saved while a takeover is about to restore it
                put("a", "z");
                new Actor("dead", 0, 0).change("a", "x").diesUnheard();
                new Actor("rival", 0, second).insert("n2", "x");
                new Actor("saver", 0, second + world.between(0, 25 * World.MILLIS))
                        .change("a", "z")
                        .lateBy(second + millis(30, 400));
            }
            case BEFORE_THE_BUILD -> { // who cannot have another value gives the claim up that a saver has seen
                put("b", "z", "y");
                putUnclaimed("a", "x", "w");
                new Actor("failing", 0, world.between(0, 30 * World.MILLIS)).change("a", "x", "y");
                new Actor("saver", 0, world.between(0, 60 * World.MILLIS)).change("a", "x", "w");
                new Actor("rival", 0, world.between(0, 2 * LEASE)).insert("n2", "x", "v");
            }
            case BEFORE_THE_BUILD + 1 -> { // such a row is to be restored, while others save it and want its value
                putUnclaimed("a", "x", "w");
                new Actor("dead", 0, 0)
                        .change("a", "y", "w")
                        .lateBy(world.between(0, 3 * LEASE))
                        .dies();
                new Actor("rival", 0, second).insert("n2", "y", "v");
                new Actor("saver", 0, second + world.between(0, 40 * World.MILLIS)).change("a", "x", "w");
                new Actor("other", 0, second + world.between(0, 100 * World.MILLIS)).insert("n3", "x", "u");
            }
            case OF_ONE_ROW -> { // SAVED_WHILE_DELETED
                put("a", "x");
                new Actor("saver", 0, world.between(0, 12 * World.MILLIS)).change("a", "x");
                new Actor("deleter", 0, world.between(0, 8 * World.MILLIS))
                        .delete("a")
                        .lateBy(world.between(0, 20 * World.MILLIS));
            }
            case OF_ONE_ROW + 1 -> { // DELETED_LATE
                put("a", "x");
                new Actor("deleter", 0, 0).delete("a").lateBy(9 * World.SECOND).dies();
                new Actor("saver", 0, world.between(0, 8 * World.SECOND)).change("a", "x");
            }
            case OF_ONE_ROW + 2 -> { // SAVED_TWICE
                put("a", "x");
                new Actor("first", 0, 0).pinned().change("a", "y").losesAnswers(world.between(0, LEASE));
                new Actor("other", 0, world.between(0, LEASE / 2)).change("a", "y");
            }
            case OF_ONE_ROW + 3 -> { // SAVED_AFTER_A_RESTORATION
                put("a", "x");
                new Actor("saver", 0, 0).change("a", "x").losesWrites(2 * LEASE);
                new Actor("dead", 0, millis(10, 100)).change("a", "y").diesUnheard();
                new Actor("rival", 0, second).insert("n2", "y");
            }
            default -> { // two clocks claim for one row, the fast one first, and both die
                new Actor("fast", 5_000_000, 0)
                        .insert("a", "x")
                        .lateBy(world.between(0, 6 * LEASE))
                        .dies();
                new Actor("slow", 0, millis(10, 60))
                        .change("a", "x")
                        .lateBy(world.between(0, 6 * LEASE))
                        .dies();
                new Actor("rival", 0, second + world.between(0, LEASE)).insert("n2", "x");
            }
        }
        world.run(200 * World.SECOND);
        ledger.judgeRows();
        return ledger;
    }

    @Override
    public String history() {
        return world.history();
    }

    private void put(String owner, String... values) {
        all.put(owner, cells(values, "free"), 0);
        ledger.put(owner);
    }

    /** As before the claims of the first constraint are built. */
    private void putUnclaimed(String owner, String... values) {
        all.put(owner, cells(values, "free"), 1);
        ledger.putUnclaimed(owner);
    }

    private long millis(long from, long to) {
        return world.between(from, to) * World.MILLIS;
    }

    private static List<String> cells(String[] values, String free) {
        List<String> cells = new ArrayList<>(List.of(values));
        cells.add(free);
        return List.copyOf(cells);
    }

    /** A process that does one thing. */
    private final class Actor extends UniqueSite {

        private final long startsAt;
        private boolean pinned;

        Actor(String name, long skewMicros, long startsAt) {
            super(all, new SimProcess(name, world, 0), skewMicros);
            this.startsAt = startsAt;
            if (skewMicros != 0) {
                ledger.clocksDisagree();
            }
        }

        Actor insert(String owner, String... values) {
            return begin(
                    new Operation("insert", owner, List.copyOf(cells(values, process.name())), false, startsAt),
                    insert -> guard.insertAsync(rows, rows.write(insert, false)));
        }

        Actor delete(String owner) {
            List<@Nullable String> none =
                    new ArrayList<>(Collections.nCopies(all.shape().columns(), null));
            return begin(
                    new Operation("delete", owner, none, false, startsAt),
                    delete -> guard.deleteAsync(rows.deleting(delete), owner));
        }

        /** What it does next has its timestamp from its first attempt on. */
        Actor pinned() {
            pinned = true;
            return this;
        }

        void sleeps(long from, long howLong) {
            world.after(from, null, () -> process.sleep(howLong));
        }

        Actor change(String owner, String... values) {
            return begin(
                    new Operation("change", owner, List.copyOf(cells(values, process.name())), false, startsAt),
                    change -> guard.changeAsync(rows, rows.write(change, false)));
        }

        /** Its first write of a row comes so late; it hears nothing of it. */
        Actor lateBy(long arrivesAt) {
            rows.delayFirstWrite(arrivesAt);
            return this;
        }

        /** As if its first write never came: it dies, and all is decided when that arrives. */
        void diesUnheard() {
            lateBy(60 * World.SECOND).dies();
        }

        /** Its writes are answered from then on. */
        void losesAnswers(long until) {
            rows.loseAnswers(until);
        }

        /** Its writes arrive from then on. */
        void losesWrites(long until) {
            rows.loseWrites(until);
        }

        /** Dies when it has sent its first write. */
        void dies() {
            rows.afterFirstWrite(process::crash);
        }

        private Actor begin(Operation operation, Function<Operation, CompletionStage<Void>> call) {
            if (harsh && world.chance(0.7)) {
                process.atRequest(world.between(1, 12), process::crash);
            }
            world.after(startsAt, process, () -> {
                process.note(() -> "BEGINS " + operation);
                process.company(step -> ledger.hasCompany(operation, step));
                ledger.begin(operation);
                CompletionStage<Void> ended = pinned
                        ? WriteScope.at(time.nextTimestamp()).call(() -> call.apply(operation))
                        : call.apply(operation);
                ended.whenComplete((done, thrown) -> end(operation, thrown));
                rows.whenCrashed(() -> ledger.unknown(operation));
            });
            return this;
        }

        private void end(Operation operation, Throwable thrown) {
            Throwable failure = thrown == null ? null : DriverFailures.unwrapped(thrown);
            process.note(() -> "ENDS %s: %s".formatted(operation, failure == null ? "succeeded" : failure));
            if (failure == null) {
                ledger.succeeded(operation);
            } else if (failure instanceof UnknownOutcomeException) {
                ledger.unknown(operation);
            } else {
                ledger.failed(operation, failure);
            }
        }
    }
}
