package io.surewrite.verification.lease;

import io.surewrite.verification.Times;
import io.surewrite.verification.figures.Figure;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A way to lock and unlock a name, and what it took. */
final class Way {

    private static final List<String> NAMES =
            IntStream.range(0, 100).mapToObj(number -> "alone:" + number).toList();

    private final Consumer<String> lockAndUnlock;
    private final Times times = new Times();

    Way(Consumer<String> lockAndUnlock) {
        this.lockAndUnlock = lockAndUnlock;
    }

    /** {@return which names are taken} */
    static List<String> names() {
        return NAMES;
    }

    /** Each name for the first time, which costs another number of requests than later ones. */
    static void atFirst(List<String> names, Way... all) {
        inTurns(names.size(), names, all);
    }

    /** Names that each way has had before. */
    static void inTurns(int rounds, Way... all) {
        for (Way way : all) {
            NAMES.forEach(way.lockAndUnlock);
        }
        inTurns(rounds, NAMES, all);
    }

    /** In an order that changes, since what one leaves behind at the server may slow the next. */
    private static void inTurns(int rounds, List<String> names, Way... all) {
        List<Way> ways = Arrays.asList(all);
        Random random = new Random(1);
        for (int i = 0; i < rounds; i++) {
            String name = names.get(i % names.size());
            Collections.shuffle(ways, random);
            ways.forEach(way -> way.times.time(() -> way.lockAndUnlock.accept(name)));
        }
    }

    Figure beside(String what, String whose, Way other) {
        return Figure.ratio(what, "ms", times.percentileMillis(0.5), whose, other.times.percentileMillis(0.5));
    }
}
