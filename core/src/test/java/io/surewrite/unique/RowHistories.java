package io.surewrite.unique;

import io.surewrite.testsupport.RowJudge;
import io.surewrite.testsupport.RowJudge.Kind;
import io.surewrite.testsupport.RowJudge.Outcome;
import io.surewrite.unique.UniqueLedger.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes down the operations on each row and what the row shows after every event, and has it judged in the end: a row is
 * one register whose value is the whole row, ordered by the timestamps that writes carry.
 *
 * <p>The timestamp of an operation is that of its first write. One that is written again with another is judged with each of
 * them, and is right if one explains what was seen: else it was in effect twice.
 *
 * <p>Three things are let pass. An unknown write that comes between the last read of a takeover and what that writes, shows
 * until then and is gone: no protocol over plain writes prevents it. Two operations of one timestamp, where columns do not
 * need to belong together: plain writes mix, too. And rows of which a column was updated without the guard are judged by
 * columns.
 */
final class RowHistories {

    private static final int MOST_ASSIGNMENTS = 256;
    private static final long BEFORE = -1;

    private final SimShape shape;
    private final SimTable table;
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private long instants;

    /** One row: what it showed when, what was done with it. */
    private static final class Row {
        private final List<Seen> seen = new ArrayList<>();
        private final List<Operation> calls = new ArrayList<>();
        private boolean updated;

        Row(SimSnapshot initial) {
            seen.add(new Seen(0, initial));
        }

        SimSnapshot last() {
            return seen.get(seen.size() - 1).row();
        }
    }

    private record Seen(long at, SimSnapshot row) {}

    RowHistories(SimShape shape, SimTable table) {
        this.shape = shape;
        this.table = table;
    }

    private Row row(String owner) {
        return rows.computeIfAbsent(owner, key -> new Row(table.snapshot(key)));
    }

    // ---- what happens ----

    /** Notes what is there from the beginning. */
    void put(String owner) {
        rows.put(owner, new Row(table.snapshot(owner)));
    }

    void begin(Operation operation) {
        Row row = row(operation.owner);
        operation.begin = ++instants;
        row.updated |= operation.cells.contains(".");
        row.calls.add(operation);
    }

    /** Its caller is told, and the row shows what it shows then. */
    void end(Operation operation, Outcome outcome) {
        operation.end = ++instants;
        operation.outcome = outcome;
        row(operation.owner).seen.add(new Seen(++instants, table.snapshot(operation.owner)));
    }

    /** After every event. */
    void look(String owner) {
        SimSnapshot now = table.snapshot(owner);
        Row row = row(owner);
        if (now.equals(row.last()) || shown(now).equals(shown(row.last()))) {
            return;
        }
        if (!table.isTakeovers(owner) || !flickered(row, now)) {
            row.seen.add(new Seen(++instants, now));
        }
    }

    /** Whether a takeover has brought back what was there; what came in between does not count, if nobody was told of it. */
    private boolean flickered(Row row, SimSnapshot now) {
        for (int i = row.seen.size() - 1; i >= 0; i--) {
            if (shown(row.seen.get(i).row()).equals(shown(now))) {
                row.seen.subList(i + 1, row.seen.size()).clear();
                return true;
            }
        }
        return false;
    }

    private static String shown(SimSnapshot row) {
        return row.exists() ? cells(row).toString() : "";
    }

    private static List<@Nullable String> cells(SimSnapshot row) {
        return row.cells().stream().map(SimTable.TimedValue::value).toList();
    }

    // ---- what is to be said of it ----

    /** {@return what is wrong, a sentence for each row} */
    List<String> judge() {
        List<String> wrong = new ArrayList<>();
        rows.forEach((owner, row) -> judge(row).ifPresent(sentence -> wrong.add(owner + " is " + sentence)));
        return wrong;
    }

    private Optional<String> judge(Row row) {
        long initial = row.seen.get(0).row().newestWrite();
        if (row.calls.isEmpty()
                || (!shape.mayMix() && haveTies(row.calls))
                || row.calls.stream().anyMatch(call -> call.timestamps.contains(initial))) {
            return Optional.empty();
        }
        if (!row.updated) {
            return judge(row, cells -> cells.toString());
        }
        for (int i = 0; i < shape.columns(); i++) {
            int column = i;
            Optional<String> wrong = judge(row, cells -> cells.get(column));
            if (wrong.isPresent()) {
                return wrong.map(sentence -> "column %d %s".formatted(column, sentence));
            }
        }
        return Optional.empty();
    }

    private static boolean haveTies(List<Operation> calls) {
        List<Long> all =
                calls.stream().flatMap(call -> call.timestamps.stream()).toList();
        return Set.copyOf(all).size() < all.size();
    }

    /** Judges a part of a row: all of it, or a column. */
    private Optional<String> judge(Row row, Function<List<@Nullable String>, @Nullable String> part) {
        SimSnapshot initial = row.seen.get(0).row();
        List<Operation> calls = row.calls.stream()
                .filter(call -> !".".equals(part.apply(call.cells)))
                .toList();
        int assignments = 1;
        for (Operation call : calls) {
            assignments = Math.min(MOST_ASSIGNMENTS, assignments * Math.max(1, call.timestamps.size()));
        }
        Optional<String> first = Optional.empty();
        for (int assignment = 0; assignment < assignments; assignment++) {
            List<RowJudge.Operation> history = new ArrayList<>();
            String before = content(initial, part);
            if (before != null) {
                history.add(new RowJudge.Operation(
                        "the row at the beginning",
                        Kind.WRITE,
                        before,
                        Outcome.DONE,
                        BEFORE,
                        BEFORE,
                        initial.newestWrite()));
            }
            int rest = assignment;
            for (Operation call : calls) {
                int choices = Math.max(1, call.timestamps.size());
                history.add(operation(call, rest % choices, part));
                rest /= choices;
            }
            for (Seen seen : row.seen) {
                history.add(new RowJudge.Operation(
                        "the row", Kind.READ, content(seen.row(), part), Outcome.DONE, seen.at(), seen.at(), null));
            }
            Optional<String> wrong = RowJudge.byTimestamps(null, history);
            if (wrong.isEmpty()) {
                return wrong;
            }
            first = first.isEmpty() ? wrong : first;
        }
        return first.map(sentence -> calls.stream()
                .filter(call -> call.timestamps.size() > 1 && sentence.contains(call.name() + " @"))
                .findFirst()
                .map(call -> "re-stamped: %s at %s; %s".formatted(call.name(), call.timestamps, sentence))
                .orElse(sentence));
    }

    private static @Nullable String content(SimSnapshot row, Function<List<@Nullable String>, @Nullable String> part) {
        return row.exists() ? part.apply(cells(row)) : null;
    }

    private static RowJudge.Operation operation(
            Operation call, int timestamp, Function<List<@Nullable String>, @Nullable String> part) {
        String content = call.deletes() ? null : part.apply(call.cells);
        return new RowJudge.Operation(
                call.name(),
                content == null ? Kind.DELETE : Kind.WRITE,
                content,
                call.outcome,
                call.begin,
                call.end,
                call.timestamps.isEmpty() ? null : call.timestamps.get(timestamp));
    }

    /** {@return in one word what is wrong with a row} */
    static String kind(String sentence) {
        int end = sentence.indexOf(": ");
        return sentence.substring(sentence.lastIndexOf(' ', end) + 1, end);
    }
}
