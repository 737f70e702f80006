package io.surewrite.unique;

import io.surewrite.simulation.World;
import io.surewrite.testsupport.RowJudge.Outcome;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.DuplicateValueException.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps book of all operations and of what every row shows, after every event.
 *
 * <p>U1: at most one row carries a value, and the value's claim is that row's. W, U2 and U3 are judged in the end, by whole
 * rows: see {@link RowHistories}.
 */
final class UniqueLedger {

    /** Marks rows and values of operations that began although a wrong clock of a node was measured. */
    static final String IN_SPITE = "!";

    private final World world;
    private final SimShape shape;
    private final SimTable table;
    private final SimClaimTable claims;
    private final RowHistories histories;
    private boolean clocksAgree = true;
    private final List<Operation> running = new ArrayList<>();
    private final Map<ClaimKey, Map<String, Long>> lastCarried = new HashMap<>();

    /** What rows carry as they are shown now: most of them do not change from one event to the next. */
    private final Map<String, Carried> carried = new HashMap<>();

    /** What is there from the beginning without a claim, until a guarded write of the row succeeds. */
    private final Set<String> unclaimed = new HashSet<>();

    private int successes;
    private int unknowns;
    private int failures;
    private final Set<String> excused = new HashSet<>();
    private boolean nodeJumped;

    /** From now on a node's clock is wrong. */
    void nodeJumps() {
        nodeJumped = true;
    }

    /** Counts what befalls operations that began before anybody could know; anything else ends the run. */
    private void violate(String message) {
        if (nodeJumped && !message.contains(IN_SPITE)) {
            excused.add(message);
        } else {
            world.violate(message);
        }
    }

    /** {@return what went wrong with operations that began before a wrong clock of a node was measured} */
    int excused() {
        return excused.size();
    }

    /** The keys of the values that a row shows. */
    private record Carried(SimSnapshot row, List<ClaimKey> keys) {}

    /** One operation on one row, from its beginning to its end: what its caller knows of it, and what the row's writes show. */
    static final class Operation {
        final String what;
        final String owner;
        final List<@Nullable String> cells;
        final boolean plain;
        private final long beganAt;
        private boolean alone;
        private boolean existed;
        private boolean ended;

        final List<Long> timestamps = new ArrayList<>();
        long begin;
        long end;
        Outcome outcome = Outcome.UNKNOWN;

        /** Of its cells, "." leaves the column alone; a plain one is unguarded, and may lose to a later timestamp. */
        Operation(String what, String owner, List<@Nullable String> cells, boolean plain, long beganAt) {
            this.what = what;
            this.owner = owner;
            this.cells = cells;
            this.plain = plain;
            this.beganAt = beganAt;
        }

        /** The same, which begins once more. */
        Operation again() {
            return new Operation(what, owner, cells, plain, beganAt);
        }

        boolean deletes() {
            return what.startsWith("delete");
        }

        /** Whether it is on that row, and not over. */
        boolean isOn(String row) {
            return !ended && owner.equals(row);
        }

        /** A write of it is sent. */
        void sends(long timestamp) {
            if (!timestamps.contains(timestamp)) {
                timestamps.add(timestamp);
            }
        }

        String name() {
            return what + " #" + begin;
        }

        @Override
        public String toString() {
            return "%s %s %s".formatted(what, owner, cells);
        }
    }

    UniqueLedger(World world, SimShape shape, SimTable table, SimClaimTable claims) {
        this.world = world;
        this.shape = shape;
        this.table = table;
        this.claims = claims;
        this.histories = new RowHistories(shape, table);
    }

    /** Clocks are farther apart than writers may rely on: then timestamps do not tell what was decided before what. */
    void clocksDisagree() {
        clocksAgree = false;
    }

    /** A row that is there from the beginning. */
    void put(String owner) {
        histories.put(owner);
    }

    /** One that no claim protects yet. */
    void putUnclaimed(String owner) {
        put(owner);
        unclaimed.add(owner);
    }

    void begin(Operation operation) {
        histories.look(operation.owner);
        histories.begin(operation);
        operation.alone = true;
        operation.existed = table.snapshot(operation.owner).exists();
        for (Operation other : running) {
            if (other.owner.equals(operation.owner)) {
                operation.alone = false;
                other.alone = false;
            }
        }
        running.add(operation);
    }

    private void end(Operation operation, Outcome outcome) {
        running.remove(operation);
        operation.ended = true;
        histories.end(operation, outcome);
    }

    /** Whether another operation is at work on one's row, on a row that a step is about, or on that of a claim. */
    boolean hasCompany(@Nullable Operation mine, String step) {
        return running.stream()
                .filter(other -> !other.equals(mine))
                .anyMatch(other -> (mine != null && other.owner.equals(mine.owner))
                        || Stream.of(step.split(" ", -1))
                                .anyMatch(word -> word.equals(other.owner) || claims.isOwner(word, other.owner)));
    }

    void succeeded(Operation operation) {
        succeeded(operation, false);
    }

    /** Where the clock of its process was set, its timestamp may lie under what is there, so that it may never show. */
    void succeeded(Operation operation, boolean clockSet) {
        successes++;
        end(operation, clockSet ? Outcome.UNKNOWN : Outcome.DONE);
        unclaimed.remove(operation.owner);
        checkInsert(operation);
        check();
    }

    private void checkInsert(Operation operation) {
        if (shape.isNatural() && operation.what.startsWith("insert") && operation.existed && operation.alone) {
            violate("U1: %s succeeded, though the row was there".formatted(operation));
        }
    }

    void failed(Operation operation, Throwable failure) {
        failures++;
        end(operation, Outcome.FAILED);
        if (failure instanceof DuplicateValueException duplicate) {
            for (Violation violation : duplicate.violations()) {
                checkDuplicate(
                        operation, new ClaimKey(violation.constraint(), new UniqueValue(violation.values()).encoded()));
            }
        }
        check();
    }

    /** Nobody knows, now or because its process died: what it writes may appear until the end of time. */
    void unknown(Operation operation) {
        unknowns++;
        end(operation, Outcome.UNKNOWN);
    }

    private void checkDuplicate(Operation operation, ClaimKey key) {
        boolean carried = lastCarried.getOrDefault(key, Map.of()).entrySet().stream()
                .anyMatch(entry ->
                        (key.constraint().equals("natural") || !entry.getKey().equals(operation.owner))
                                && entry.getValue() >= operation.beganAt);
        if (!carried) {
            violate("%s is reported a duplicate in %s, but nobody carried it".formatted(key, operation));
        }
    }

    void check() {
        // Its row was not there all the time: a deletion that nobody waits for any more may have come.
        running.forEach(operation ->
                operation.existed &= table.snapshot(operation.owner).exists());
        Map<ClaimKey, String> carriers = new HashMap<>();
        for (String owner : table.owners()) {
            SimSnapshot row = table.snapshot(owner);
            histories.look(owner);
            for (ClaimKey key : keysOf(row)) {
                lastCarried.computeIfAbsent(key, value -> new HashMap<>()).put(owner, world.now());
                if (unclaimed.contains(owner)) {
                    continue;
                }
                String other = carriers.put(key, owner);
                if (other != null) {
                    violate("U1: %s and %s both carry %s".formatted(other, owner, key));
                }
                if (!owner.equals(claims.owner(key))) {
                    violate("I1: %s carries %s, but the claim is %s's".formatted(owner, key, claims.owner(key)));
                }
            }
        }
        table.forgetTakeovers();
    }

    /** In the end. Whatever clocks say, no row is a mixture, and nothing shows that has failed or had not begun. */
    void judgeRows() {
        for (String wrong : histories.judge()) {
            boolean byOrder = Set.of("undone", "back", "re-stamped").contains(RowHistories.kind(wrong));
            if (clocksAgree || !byOrder) {
                violate("W: " + wrong);
            }
        }
    }

    private List<ClaimKey> keysOf(SimSnapshot row) {
        Carried known = carried.get(row.owner());
        if (known == null || !known.row.equals(row)) {
            known = new Carried(row, WantedValue.keysOf(shape.constraints(), row));
            carried.put(row.owner(), known);
        }
        return known.keys;
    }

    int successes() {
        return successes;
    }

    int unknowns() {
        return unknowns;
    }

    int failures() {
        return failures;
    }
}
