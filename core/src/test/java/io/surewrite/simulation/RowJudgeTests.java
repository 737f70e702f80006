package io.surewrite.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.testsupport.RowJudge;
import io.surewrite.testsupport.RowJudge.Kind;
import io.surewrite.testsupport.RowJudge.Operation;
import io.surewrite.testsupport.RowJudge.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The judge against one that tries every order. */
class RowJudgeTests {

    private static final int HISTORIES = 10_000;

    /** Makes one mistake in a history, which may be none. */
    private interface Mistake {

        void in(List<Operation> history, SplittableRandom random);
    }

    private static final Map<String, Mistake> MISTAKES = Map.of(
            "nothing", (history, random) -> {},
            "drop", (history, random) -> history.remove(random.nextInt(history.size())),
            "swap", RowJudgeTests::swap,
            "tear a column", RowJudgeTests::tear,
            "revive", (history, random) -> read(history, random, content -> anyContent(history, random)),
            "double", RowJudgeTests::repeat,
            "re-stamp", RowJudgeTests::restamp);

    @Test
    void agreesWithTryingEveryOrder() {
        MISTAKES.forEach((name, mistake) -> {
            int[] right = new int[2];
            int[] wrong = new int[2];
            for (int seed = 1; seed <= HISTORIES; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                Recording recording =
                        new Recording(random, 2 + random.nextInt(3), 3 + random.nextInt(6), seed % 2 == 1);
                List<Operation> history = recording.history;
                mistake.in(history, random);
                for (int mode = 0; mode < 2; mode++) {
                    Optional<String> judged = mode == 0
                            ? RowJudge.byTimestamps(recording.initial, history)
                            : RowJudge.inAnyOrder(recording.initial, history);
                    boolean explained = new EveryOrder(recording.initial, history, mode == 0).explains();
                    assertThat(judged.isEmpty())
                            .as(
                                    "%s, seed %d, mode %d: %s at first, %s: %s",
                                    name, seed, mode, recording.initial, history, judged)
                            .isEqualTo(explained);
                    (explained ? right : wrong)[mode]++;
                }
            }
            System.out.printf(
                    "Row judge, %s: %,d histories; by timestamps %,d right, %,d wrong; in any order %,d right, %,d wrong%n",
                    name, HISTORIES, right[0], wrong[0], right[1], wrong[1]);
            assertThat(right[0]).isPositive();
            assertThat(right[1]).isPositive();
            if (name.equals("nothing")) {
                assertThat(wrong[0]).isZero();
            } else {
                assertThat(wrong[0]).isPositive();
            }
            assertThat(wrong[1]).isPositive(); // clocks are apart in every other history
        });
    }

    /** A row under the hands of a few clients: what each did, and was told. */
    private static final class Recording {

        final @Nullable String initial;
        final List<Operation> history = new ArrayList<>();

        /** What becomes effective when, in no order yet. */
        private record Effect(long at, int operation) {}

        Recording(SplittableRandom random, int clients, int operations, boolean apart) {
            this.initial = random.nextBoolean() ? null : "i|i";
            long[] free = new long[clients];
            long[] skew = new long[clients];
            for (int i = 0; i < clients; i++) {
                skew[i] = apart ? random.nextInt(-20, 21) : 0;
            }
            List<Effect> effects = new ArrayList<>();
            Set<Long> timestamps = new HashSet<>();
            for (int i = 0; i < operations; i++) {
                int client = random.nextInt(clients);
                long begin = free[client] + random.nextInt(6);
                long end = begin + random.nextInt(12);
                free[client] = end + 1;
                double dice = random.nextDouble();
                Kind kind = dice < 0.45 ? Kind.READ : dice < 0.85 ? Kind.WRITE : Kind.DELETE;
                double fate = random.nextDouble();
                Outcome outcome =
                        kind == Kind.READ || fate < 0.6 ? Outcome.DONE : fate < 0.7 ? Outcome.FAILED : Outcome.UNKNOWN;
                String content = kind == Kind.WRITE ? i + "|" + i : null;
                long at = random.nextLong(begin, end + 1);
                if (outcome == Outcome.UNKNOWN) {
                    at = random.nextInt(4) == 0 ? -1 : begin + random.nextInt(60);
                } else if (outcome == Outcome.FAILED) {
                    at = -1;
                }
                // Where all clocks agree, the operation in effect is the one that came last.
                long timestamp = (apart ? begin + skew[client] + random.nextInt(3) : at) * 16;
                while (!timestamps.add(timestamp) && (!apart || random.nextInt(8) > 0)) {
                    timestamp++;
                }
                history.add(new Operation(
                        kind.name().toLowerCase(java.util.Locale.ROOT) + " " + i,
                        kind,
                        content,
                        outcome,
                        begin,
                        end,
                        kind == Kind.READ || (outcome == Outcome.FAILED && random.nextBoolean()) ? null : timestamp));
                if (at >= 0) {
                    effects.add(new Effect(at * 16 + (apart ? 0 : timestamp % 16), i));
                }
            }
            play(effects);
        }

        private void play(List<Effect> effects) {
            effects.sort(Comparator.comparingLong(Effect::at));
            String content = initial;
            long level = Long.MIN_VALUE;
            for (Effect effect : effects) {
                Operation operation = history.get(effect.operation());
                if (operation.kind() == Kind.READ) {
                    history.set(effect.operation(), showing(operation, content));
                } else if (operation.timestamp() > level) {
                    level = operation.timestamp();
                    content = operation.content();
                }
            }
        }
    }

    private static Operation changed(
            Operation what, @Nullable String content, long begin, long end, @Nullable Long timestamp) {
        return new Operation(what.name(), what.kind(), content, what.outcome(), begin, end, timestamp);
    }

    private static Operation showing(Operation read, @Nullable String content) {
        return changed(read, content, read.begin(), read.end(), null);
    }

    private static Operation at(Operation what, Operation when) {
        long end = when.end() == RowJudge.OPEN ? when.begin() + 5 : when.end();
        return changed(what, what.content(), when.begin(), end, what.timestamp());
    }

    /** Two reads show each other's row, or two operations happen at each other's time. */
    private static void swap(List<Operation> history, SplittableRandom random) {
        int i = random.nextInt(history.size());
        int j = random.nextInt(history.size());
        Operation one = history.get(i);
        Operation other = history.get(j);
        boolean areReads = one.kind() == Kind.READ && other.kind() == Kind.READ;
        history.set(i, areReads ? showing(one, other.content()) : at(one, other));
        history.set(j, areReads ? showing(other, one.content()) : at(other, one));
    }

    /** A read has a column of one write and a column of another. */
    private static void tear(List<Operation> history, SplittableRandom random) {
        read(history, random, content -> {
            String other = anyContent(history, random);
            return content == null || other == null
                    ? other
                    : content.replaceFirst("\\|.*", "") + other.replaceFirst(".*\\|", "|");
        });
    }

    private static @Nullable String anyContent(List<Operation> history, SplittableRandom random) {
        return history.get(random.nextInt(history.size())).content();
    }

    private static void read(List<Operation> history, SplittableRandom random, UnaryOperator<@Nullable String> change) {
        change(history, random, each -> each.kind() == Kind.READ, read -> showing(read, change.apply(read.content())));
    }

    /** Changes one of those that are meant, if there is any. */
    private static void change(
            List<Operation> history,
            SplittableRandom random,
            Predicate<Operation> meant,
            UnaryOperator<Operation> change) {
        int first = random.nextInt(history.size());
        IntStream.range(first, first + history.size())
                .map(i -> i % history.size())
                .filter(i -> meant.test(history.get(i)))
                .findFirst()
                .ifPresent(i -> history.set(i, change.apply(history.get(i))));
    }

    /** An operation happens once more, later. */
    private static void repeat(List<Operation> history, SplittableRandom random) {
        Operation what = history.get(random.nextInt(history.size()));
        long by = random.nextInt(40);
        long begin = what.begin() + by;
        Long timestamp = what.timestamp() == null ? null : what.timestamp() + random.nextInt(2) * by * 16;
        history.set(
                random.nextInt(history.size()),
                changed(what, what.content(), begin, begin + random.nextInt(10), timestamp));
    }

    private static void restamp(List<Operation> history, SplittableRandom random) {
        change(history, random, each -> each.timestamp() != null, what -> {
            Operation other = history.get(random.nextInt(history.size()));
            long timestamp = other.timestamp() == null || random.nextInt(4) == 0
                    ? what.timestamp() + random.nextInt(-400, 400)
                    : other.timestamp() + random.nextInt(-1, 2);
            return changed(what, what.content(), what.begin(), what.end(), timestamp);
        });
    }

    /** Tries every order of all operations, with and without each of those whose outcome is unknown. */
    private static final class EveryOrder {

        private final boolean timestamps;
        private final @Nullable String initial;
        private final List<Operation> operations = new ArrayList<>();

        EveryOrder(@Nullable String initial, List<Operation> history, boolean timestamps) {
            this.initial = initial;
            this.timestamps = timestamps;
            history.stream()
                    .filter(operation -> operation.outcome() != Outcome.FAILED)
                    .filter(operation -> operation.kind() != Kind.READ || operation.outcome() == Outcome.DONE)
                    .forEach(operations::add);
        }

        boolean explains() {
            List<@Nullable String> row = new ArrayList<>();
            row.add(initial);
            return goesOn(new BitSet(), Long.MIN_VALUE, row);
        }

        /**
         * @param before which are in the order until now
         * @param row what may be there: more than one content after writes with one timestamp
         */
        private boolean goesOn(BitSet before, long level, List<@Nullable String> row) {
            boolean complete = true;
            for (int i = 0; i < operations.size(); i++) {
                Operation next = operations.get(i);
                complete &= before.get(i) || next.outcome() == Outcome.UNKNOWN;
                if (before.get(i)
                        || !mayFollow(before, next)
                        || (next.kind() == Kind.READ && !row.contains(next.content()))) {
                    continue;
                }
                List<@Nullable String> after = new ArrayList<>(row);
                long levelAfter = level;
                if (next.kind() != Kind.READ && !timestamps) {
                    after.clear();
                    after.add(next.content());
                } else if (next.kind() != Kind.READ && next.timestamp() != null && next.timestamp() >= level) {
                    if (next.timestamp() > level) {
                        after.clear();
                    }
                    after.add(next.content());
                    levelAfter = next.timestamp();
                }
                BitSet longer = (BitSet) before.clone();
                longer.set(i);
                if (goesOn(longer, levelAfter, after)) {
                    return true;
                }
            }
            return complete;
        }

        /** Whether all that ended before it began are there already. */
        private boolean mayFollow(BitSet before, Operation next) {
            return IntStream.range(0, operations.size())
                    .filter(i -> operations.get(i).outcome() == Outcome.DONE
                            && operations.get(i).end() < next.begin())
                    .allMatch(before::get);
        }
    }
}
