package io.surewrite.verification.unique;

import io.surewrite.verification.Times;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Several ways of doing the same, in turn, so that whatever else the machine does hits all of them alike. */
final class Contest {

    private final Map<String, Runnable> ways = new LinkedHashMap<>();
    private final Map<String, Times> times = new LinkedHashMap<>();

    Contest with(String name, Runnable way) {
        ways.put(name, way);
        times.put(name, new Times());
        return this;
    }

    /** Runs all ways so often, after as much again to warm up. Each round begins with another way. */
    Contest run(int rounds) {
        List<String> names = new ArrayList<>(ways.keySet());
        for (int round = -rounds; round < rounds; round++) {
            if (round == 0) {
                times.values().forEach(Times::reset);
            }
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(Math.floorMod(round + i, names.size()));
                Objects.requireNonNull(times.get(name)).time(Objects.requireNonNull(ways.get(name)));
            }
        }
        times.forEach((name, taken) -> System.out.printf(
                Locale.ROOT,
                "  %-42s p50 %.3f ms, p99 %.3f ms%n",
                name,
                taken.percentileMillis(0.5),
                taken.percentileMillis(0.99)));
        return this;
    }

    /** {@return the ratio of the medians} */
    double ratio(String name, String other) {
        return median(name) / median(other);
    }

    private double median(String name) {
        return Objects.requireNonNull(times.get(name)).percentileMillis(0.5);
    }
}
