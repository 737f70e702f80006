package io.surewrite.verification.unique;

import io.surewrite.verification.Throughput;
import io.surewrite.verification.Times;
import io.surewrite.verification.figures.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Several ways of doing something, in turn, so that whatever else the machine does hits all of them alike. */
final class Contest {

    /** Short, so that three slow nodes have many rounds in which to be noisy, too. */
    private static final long TURN_NANOS = Duration.ofMillis(60).toNanos();

    private final Map<String, Runnable> ways = new LinkedHashMap<>();
    private final Map<String, Times> times = new LinkedHashMap<>();

    Contest with(String name, Runnable way) {
        ways.put(name, way);
        times.put(name, new Times());
        return this;
    }

    /**
     * Runs all ways for so long, after as long to warm up: that with many threads, for one alone would take too long to
     * run each way so often that the compilers of client and server have done with it. A way is taken some times in a row,
     * as in an application; each round has an order of its own, since what one way leaves behind at the server may slow the
     * next.
     */
    Contest run(Duration howLong) throws Exception {
        List<String> names = new ArrayList<>(ways.keySet());
        for (Runnable way : ways.values()) {
            Throughput.perSecond(howLong.dividedBy(ways.size()), List.of(way::run));
        }
        Random random = new Random(1);
        int rounds = 0;
        for (long end = System.nanoTime() + howLong.toNanos(); System.nanoTime() < end; ) {
            Collections.shuffle(names, random);
            for (String name : names) {
                Times taken = Objects.requireNonNull(times.get(name));
                Runnable way = Objects.requireNonNull(ways.get(name));
                for (long turn = System.nanoTime(); System.nanoTime() - turn < TURN_NANOS; ) {
                    taken.time(way);
                }
            }
            rounds++;
        }
        System.out.printf("%d rounds%n", rounds);
        times.forEach((name, taken) -> System.out.printf(
                Locale.ROOT,
                "  %-42s p50 %.3f ms, p99 %.3f ms%n",
                name,
                taken.percentileMillis(0.5),
                taken.percentileMillis(0.99)));
        return this;
    }

    /**
     * {@return the medians of two ways}
     *
     * @param how what the figure's name says besides
     */
    Figure compare(String how, String name, String other) {
        return Figure.ratio(name + how + ", p50", "ms", median(name), other, median(other));
    }

    private double median(String name) {
        return Objects.requireNonNull(times.get(name)).percentileMillis(0.5);
    }
}
