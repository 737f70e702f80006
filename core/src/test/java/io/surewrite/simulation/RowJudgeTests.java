package io.surewrite.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.testsupport.RowJudge;
import io.surewrite.testsupport.RowJudge.Kind;
import io.surewrite.testsupport.RowJudge.Operation;
import io.surewrite.testsupport.RowJudge.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The judge against one that tries every order. */
class RowJudgeTests {

    private static final int HISTORIES = 70_000;
    private static final List<String> CONTENTS = List.of("a", "b", "c", "d", "e");

    @Test
    void agreesWithTryingEveryOrder() {
        int[] right = new int[2];
        for (int seed = 1; seed <= HISTORIES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String initial = random.nextBoolean() ? null : "a";
            List<Operation> history = history(random);
            for (int mode = 0; mode < 2; mode++) {
                Optional<String> judged =
                        mode == 0 ? RowJudge.byTimestamps(initial, history) : RowJudge.inAnyOrder(initial, history);
                boolean explained = new EveryOrder(initial, history, mode == 0).explains();
                assertThat(judged.isEmpty())
                        .as("seed %d, mode %d: %s at first, %s: %s", seed, mode, initial, history, judged)
                        .isEqualTo(explained);
                right[mode] += explained ? 1 : 0;
            }
        }
        System.out.printf(
                "Row judge: %,d histories, %,d right by timestamps, %,d in any order%n", HISTORIES, right[0], right[1]);
        assertThat(right[0]).isBetween(HISTORIES / 5, HISTORIES * 4 / 5);
        assertThat(right[1]).isBetween(HISTORIES / 5, HISTORIES * 4 / 5);
    }

    /** What a few clients may have done and heard, right or wrong: their times, timestamps and contents are drawn. */
    private static List<Operation> history(SplittableRandom random) {
        int size = 2 + random.nextInt(7);
        long[] begins = random.longs(size, 0, 40).sorted().toArray();
        List<Operation> history = new ArrayList<>();
        String last = null;
        for (int i = 0; i < size; i++) {
            double dice = random.nextDouble();
            Kind kind = dice < 0.45 ? Kind.READ : dice < 0.85 ? Kind.WRITE : Kind.DELETE;
            double fate = random.nextDouble();
            Outcome outcome =
                    kind == Kind.READ || fate < 0.6 ? Outcome.DONE : fate < 0.7 ? Outcome.FAILED : Outcome.UNKNOWN;
            String content = kind == Kind.DELETE ? null : CONTENTS.get(random.nextInt(CONTENTS.size()));
            if (kind == Kind.READ && random.nextInt(3) > 0) {
                content = last;
            } else if (kind == Kind.READ && random.nextBoolean()) {
                content = random.nextBoolean() ? null : "what nobody has written";
            } else if (kind != Kind.READ) {
                last = content;
            }
            long end = begins[i] + random.nextInt(12);
            // Where clocks are apart, the operation in effect is not the one that came last.
            long timestamp =
                    random.nextLong(begins[i], end + 1) + (random.nextInt(4) == 0 ? random.nextInt(-20, 21) : 0);
            boolean isSent = kind != Kind.READ && (outcome != Outcome.FAILED || random.nextBoolean());
            history.add(new Operation(
                    kind + " " + i, kind, content, outcome, begins[i], end, isSent ? Long.valueOf(timestamp) : null));
        }
        return history;
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
