package io.surewrite.testsupport;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges the history of one row: whether its operations are those of one register whose value is the whole row.
 *
 * <p>What is done is in effect, or under an operation of a higher timestamp, and is never undone by a lower one. What is
 * unknown takes effect once, at any time after its begin, or never. What has failed never takes effect. A read shows what
 * exactly one operation has written, all of it and nothing else, or nothing at the beginning and after a deletion.
 *
 * <p>Where the timestamps of writes are known, they decide ({@link #byTimestamps}): an operation under the highest one is
 * dead on arrival, and done. Where they are not, some order of the operations must explain all reads ({@link #inAnyOrder}):
 * the row is linearizable. Histories are the same in both where all clocks agree.
 *
 * <p>A violation is a sentence that begins with its kind. {@code torn}: nobody wrote that. {@code failed}: its operation has
 * failed. {@code early}: its operation had not begun. {@code undone}: an operation above it was done before. {@code back}: an
 * earlier read showed an operation above it. {@code order}: no order of the operations explains it.
 */
public final class RowJudge {

    /** When an operation ends of which nobody hears any more. */
    public static final long OPEN = Long.MAX_VALUE;

    private static final long LOWEST = Long.MIN_VALUE;

    private final List<Operation> writes = new ArrayList<>();
    private final List<Operation> failed = new ArrayList<>();
    private final List<Operation> reads = new ArrayList<>();
    private final Operation initial;

    /** What an operation does. */
    public enum Kind {
        /** A save, an insert or an overwrite: it writes the whole row. */
        WRITE,
        /** It deletes the whole row. */
        DELETE,
        /** It shows the whole row. */
        READ
    }

    /** What its caller was told. */
    public enum Outcome {
        /** It was successful. */
        DONE,
        /** It was not done, and never will be. */
        FAILED,
        /** Nothing, or that nobody knows. */
        UNKNOWN
    }

    /**
     * One operation on the row.
     *
     * @param name names it in sentences
     * @param kind what it does
     * @param content the whole row as it writes or shows it; null where there is none
     * @param outcome what its caller was told
     * @param begin when it was called
     * @param end when its caller was told; {@link #OPEN} while nobody knows
     * @param timestamp of the write or deletion; null if it is not known, or if nothing was sent
     */
    public record Operation(
            String name,
            Kind kind,
            @Nullable String content,
            Outcome outcome,
            long begin,
            long end,
            @Nullable Long timestamp) {

        /** An operation of unknown outcome has no end, whatever is said. */
        public Operation {
            end = outcome == Outcome.UNKNOWN ? OPEN : end;
            if ((kind == Kind.WRITE && content == null) || (kind == Kind.DELETE && content != null)) {
                throw new IllegalArgumentException("A write has a content, and a deletion none: " + name);
            }
            if (end < begin) {
                throw new IllegalArgumentException("It ends before it begins: " + name);
            }
        }

        long level() {
            return timestamp == null ? LOWEST : timestamp;
        }

        @Override
        public String toString() {
            return name + (timestamp == null ? "" : " @" + timestamp);
        }
    }

    private RowJudge(@Nullable String initial, List<Operation> history) {
        this.initial =
                new Operation("the row at the beginning", Kind.READ, initial, Outcome.DONE, LOWEST, LOWEST, null);
        for (Operation operation : history) {
            if (operation.kind() != Kind.READ) {
                (operation.outcome() == Outcome.FAILED ? failed : writes).add(operation);
            } else if (operation.outcome() == Outcome.DONE) {
                reads.add(operation);
            }
        }
    }

    /**
     * Judges a history by the timestamps of its writes and deletions. Of operations with one timestamp either may be in
     * effect. What was not sent has no timestamp: it never takes effect if its outcome is unknown, and if it was done it
     * found the row as it wanted it, which is judged like a read.
     *
     * @param initial the whole row at the beginning; null if there is none
     * @param history the operations in any order
     * @return what is wrong, or nothing
     */
    public static Optional<String> byTimestamps(@Nullable String initial, List<Operation> history) {
        RowJudge judge = new RowJudge(initial, history);
        return Optional.ofNullable(judge.judgeByTimestamps());
    }

    /**
     * {@return the history without what a write of unknown outcome has shown for a moment, if some order explains the rest}
     * Such a write came late, while the row was taken over, and is gone: no protocol over plain writes prevents it.
     *
     * @param late how long after its call it shows at the earliest, in nanoseconds: before that nobody takes over
     * @param moment how long it shows, in nanoseconds
     */
    public static Optional<List<Operation>> withoutFlicker(List<Operation> history, long late, long moment) {
        return history.stream()
                .filter(write -> write.outcome() == Outcome.UNKNOWN)
                .flatMap(write -> history.stream()
                        // A read that waits for a stopped node may see at its end what it began before.
                        .filter(read -> shows(read, write) && read.end() - write.begin() >= late)
                        .map(first -> without(history, write, first, moment)))
                .filter(rest -> inAnyOrder(null, rest).isEmpty())
                .findFirst();
    }

    private static boolean shows(Operation read, Operation write) {
        return read.kind() == Kind.READ && Objects.equals(read.content(), write.content());
    }

    private static List<Operation> without(List<Operation> history, Operation write, Operation first, long moment) {
        return history.stream()
                // By their ends, too: others that wait for that node may have begun before.
                .filter(read -> !shows(read, write) || read.end() < first.end() || read.end() - first.end() > moment)
                .toList();
    }

    /**
     * Judges a history without the timestamps of its operations.
     *
     * @param initial the whole row at the beginning; null if there is none
     * @param history the operations in any order
     * @return what is wrong, or nothing
     */
    public static Optional<String> inAnyOrder(@Nullable String initial, List<Operation> history) {
        RowJudge judge = new RowJudge(initial, history);
        return Optional.ofNullable(judge.judgeInAnyOrder());
    }

    // ---- what both have in common: who may have written what a read shows ----

    /** A content and the operations that may have written it. */
    private static final class Looked {
        private final Operation read;
        private final List<Operation> writers;
        private int at;
        private @Nullable String problem;

        Looked(Operation read, List<Operation> writers) {
            this.read = read;
            this.writers = writers;
        }

        /** The lowest that is not excluded. */
        Operation writer() {
            return writers.get(at);
        }
    }

    private Map<String, List<Operation>> writersByContent() {
        Map<String, List<Operation>> byContent = new HashMap<>();
        byContent.computeIfAbsent(key(initial), content -> new ArrayList<>()).add(initial);
        for (Operation write : writes) {
            byContent.computeIfAbsent(key(write), content -> new ArrayList<>()).add(write);
        }
        return byContent;
    }

    private static String key(Operation operation) {
        return operation.content() == null ? "-" : "+" + operation.content();
    }

    private static String shown(Operation read) {
        return read + " shows " + (read.content() == null ? "no row" : "'" + read.content() + "'");
    }

    private String nobodyWrote(Operation read) {
        return failed.stream()
                .filter(operation -> Objects.equals(operation.content(), read.content()))
                .findFirst()
                .map(operation -> "failed: %s, but %s has failed".formatted(shown(read), operation))
                .orElseGet(() -> "torn: %s, which is what no operation leaves".formatted(shown(read)));
    }

    private static String beforeItBegan(Operation read, Operation writer) {
        return "early: %s, but %s began later".formatted(shown(read), writer);
    }

    // ---- by timestamps ----

    /**
     * The row's level, the timestamp of the operation in effect, only rises. So each read has a least level at which it
     * can be explained: at least that of what was done, and of what was shown, before it began; and its writer must not
     * have begun when the level was higher already. Raising one read's level may exclude another's writer, but never the
     * other way round: the least levels of all are found by raising each until nothing moves.
     */
    private @Nullable String judgeByTimestamps() {
        List<Looked> looked = new ArrayList<>();
        writes.removeIf(write -> {
            if (write.timestamp() == null && write.outcome() == Outcome.DONE) {
                reads.add(write);
            }
            return write.timestamp() == null;
        });
        Map<String, List<Operation>> writers = writersByContent();
        writers.values()
                .forEach(same ->
                        same.sort(Comparator.comparingLong(Operation::level).thenComparingLong(Operation::begin)));
        reads.sort(Comparator.comparingLong(Operation::begin));
        for (Operation read : reads) {
            List<Operation> candidates = writers.get(key(read));
            if (candidates == null) {
                return nobodyWrote(read);
            }
            looked.add(new Looked(read, candidates));
        }
        Before done = new Before();
        writes.stream()
                .filter(write -> write.outcome() == Outcome.DONE)
                .forEach(write -> done.add(write.end(), write, write));
        done.sort();
        boolean moved = true;
        while (moved) {
            moved = false;
            Before seen = new Before();
            looked.forEach(look -> seen.add(look.read.end(), look.writer(), look.read));
            seen.sort();
            for (Looked look : looked) {
                String problem = problem(look, done, seen);
                while (problem != null) {
                    moved = true;
                    // Of all its writers the last one that had begun is the likeliest.
                    boolean begun = look.writer().begin() <= look.read.end();
                    look.problem = begun || look.problem == null ? problem : look.problem;
                    if (++look.at == look.writers.size()) {
                        return look.problem;
                    }
                    problem = problem(look, done, seen);
                }
            }
        }
        return null;
    }

    private static @Nullable String problem(Looked look, Before done, Before seen) {
        Operation read = look.read;
        Operation writer = look.writer();
        if (writer.begin() > read.end()) {
            return beforeItBegan(read, writer);
        }
        for (long instant : new long[] {read.begin(), writer.begin()}) {
            String when = instant == read.begin() ? "before" : "before that began";
            Before.Entry above = done.highest(instant);
            if (above != null && above.writer().level() > writer.level()) {
                return "undone: %s of %s, but %s was done %s".formatted(shown(read), writer, above.writer(), when);
            }
            above = seen.highest(instant);
            if (above != null && above.writer().level() > writer.level()) {
                return "back: %s of %s, but %s showed %s %s"
                        .formatted(shown(read), writer, above.by(), above.writer(), when);
            }
        }
        return null;
    }

    /** The highest operation that was there for sure before an instant. */
    private static final class Before {
        private final List<Entry> entries = new ArrayList<>();

        record Entry(long end, Operation writer, Operation by) {}

        void add(long end, Operation writer, Operation by) {
            entries.add(new Entry(end, writer, by));
        }

        /** After this each entry has the highest writer of all up to it. */
        void sort() {
            entries.sort(Comparator.comparingLong(Entry::end));
            for (int i = 1; i < entries.size(); i++) {
                Entry before = entries.get(i - 1);
                Entry entry = entries.get(i);
                if (before.writer().level() > entry.writer().level()) {
                    entries.set(i, new Entry(entry.end(), before.writer(), before.by()));
                }
            }
        }

        @Nullable
        Entry highest(long instant) {
            int low = 0;
            int high = entries.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (entries.get(middle).end() < instant) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low == 0 ? null : entries.get(low - 1);
        }
    }

    // ---- in any order ----

    /**
     * How far an order has come.
     *
     * @param placed which operations are in it
     * @param content the row after them, or null
     */
    private record Placed(BitSet placed, @Nullable String content) {

        Placed with(int operation, @Nullable String after) {
            BitSet more = (BitSet) placed.clone();
            more.set(operation);
            return new Placed(more, after);
        }
    }

    /**
     * Tries all orders, but none from the same place twice. Two kinds need no trying: a read that may come next and shows
     * what is there comes next, and an unknown write comes immediately before a read that shows it, if at all.
     */
    private @Nullable String judgeInAnyOrder() {
        Map<String, List<Operation>> writers = writersByContent();
        List<Operation> sure = new ArrayList<>(reads);
        for (Operation read : reads) {
            List<Operation> candidates = writers.get(key(read));
            if (candidates == null) {
                return nobodyWrote(read);
            }
            if (candidates.stream().allMatch(writer -> writer.begin() > read.end())) {
                return beforeItBegan(read, candidates.get(0));
            }
        }
        writes.stream().filter(write -> write.outcome() == Outcome.DONE).forEach(sure::add);
        sure.sort(Comparator.comparingLong(Operation::begin));
        List<Operation> all = new ArrayList<>(sure);
        writes.stream().filter(write -> write.outcome() == Outcome.UNKNOWN).forEach(all::add);

        Deque<Placed> open = new ArrayDeque<>();
        Set<Placed> known = new HashSet<>();
        Placed best = new Placed(new BitSet(), initial.content());
        open.push(best);
        while (!open.isEmpty()) {
            Placed reached = withReads(open.pop(), sure);
            if (reached.placed().nextClearBit(0) >= sure.size()) {
                return null;
            }
            if (!known.add(reached)) {
                continue;
            }
            if (count(reached, sure) > count(best, sure)) {
                best = reached;
            }
            List<Integer> next = next(reached, sure);
            for (int i = next.size() - 1; i >= 0; i--) {
                Operation operation = all.get(next.get(i));
                if (operation.kind() != Kind.READ) {
                    open.push(reached.with(next.get(i), operation.content()));
                    continue;
                }
                int unknown = unknown(reached, operation, all, sure, next);
                if (unknown >= 0) {
                    open.push(reached.with(unknown, operation.content()));
                }
            }
        }
        return noOrder(best, sure);
    }

    private static int count(Placed reached, List<Operation> sure) {
        return reached.placed().get(0, sure.size()).cardinality();
    }

    /** Those that may come next: none that is still to come has ended before they began. */
    private static List<Integer> next(Placed reached, List<Operation> sure) {
        List<Integer> next = new ArrayList<>();
        long firstEnd = OPEN;
        for (int i = reached.placed().nextClearBit(0);
                i < sure.size() && sure.get(i).begin() <= firstEnd;
                i = reached.placed().nextClearBit(i + 1)) {
            firstEnd = Math.min(firstEnd, sure.get(i).end());
            next.add(i);
        }
        long end = firstEnd;
        next.removeIf(i -> sure.get(i).begin() > end);
        return next;
    }

    private static Placed withReads(Placed reached, List<Operation> sure) {
        Placed more = reached;
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int i : next(more, sure)) {
                if (sure.get(i).kind() == Kind.READ
                        && Objects.equals(sure.get(i).content(), more.content())) {
                    more = more.with(i, more.content());
                    moved = true;
                }
            }
        }
        return more;
    }

    /** One is as good as another: all that have begun may come at any time from now on. */
    private static int unknown(
            Placed reached, Operation read, List<Operation> all, List<Operation> sure, List<Integer> next) {
        long firstEnd = next.stream().mapToLong(i -> sure.get(i).end()).min().orElse(OPEN);
        for (int i = sure.size(); i < all.size(); i++) {
            Operation write = all.get(i);
            if (!reached.placed().get(i)
                    && Objects.equals(write.content(), read.content())
                    && write.begin() <= firstEnd) {
                return i;
            }
        }
        return -1;
    }

    /** After the longest order only reads are left to come next, and none of them shows the row. */
    private static String noOrder(Placed best, List<Operation> sure) {
        List<Operation> left = next(best, sure).stream().map(sure::get).toList();
        return "order: %s, but the row is %s after the longest order of what came before"
                .formatted(
                        left.stream().map(RowJudge::shown).collect(Collectors.joining("; ")),
                        best.content() == null ? "absent" : "'" + best.content() + "'");
    }
}
