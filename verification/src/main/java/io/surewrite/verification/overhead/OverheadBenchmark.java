package io.surewrite.verification.overhead;

import io.surewrite.embedded.EmbeddedCassandra;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What {@code @Idempotent} costs a call, in one run on the embedded node. Plain and retried take turns of two seconds in
 * one JVM, so that whatever slows the machine, the server or the compiled code slows both. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-overhead package};
 * {@code -Dverification.argument=kept} compares it with and without the backlog instead.
 */
public final class OverheadBenchmark {

    private static final int WARMING = 10;
    private static final int ROUNDS = 60;

    private OverheadBenchmark() {}

    private record Round(RunResult base, RunResult other) {}

    /**
     * Runs the benchmark and prints its result.
     *
     * @param arguments {@code kept} to compare {@code @Idempotent} with and without the backlog, anything else to compare
     *     it with plain Spring Data
     */
    public static void main(String[] arguments) throws RunnerException {
        boolean kept = arguments[0].equals("kept");
        String base = kept ? "idempotent" : "plain";
        String other = kept ? "kept" : "idempotent";
        try (EmbeddedCassandra cassandra = EmbeddedCassandra.builder()
                        .jvmArgument("-XX:TieredStopAtLevel=4")
                        .start();
                Shops shops = new Shops(cassandra)) {
            SaveBenchmark.measure(shops);
            List<Round> measured = new ArrayList<>();
            for (int round = -WARMING; round < ROUNDS; round++) {
                // Who begins changes, so that neither always meets what the other left behind at the server.
                boolean baseFirst = round % 2 == 0;
                RunResult first = run(baseFirst ? base : other);
                RunResult second = run(baseFirst ? other : base);
                if (round >= 0) {
                    measured.add(baseFirst ? new Round(first, second) : new Round(second, first));
                }
            }
            report(base, other, measured);
        }
    }

    private static RunResult run(String method) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(SaveBenchmark.class.getName() + "\\." + method + "$")
                        .forks(0) // both sides in this JVM
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.seconds(2))
                        .addProfiler(CallerCost.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .run();
        return results.iterator().next();
    }

    private static void report(String base, String other, List<Round> rounds) {
        ToDoubleFunction<RunResult> p50 =
                result -> result.getPrimaryResult().getStatistics().getPercentile(50);
        ToDoubleFunction<RunResult> cpu = result -> secondary(result, CallerCost.CPU);
        ToDoubleFunction<RunResult> bytes = result -> secondary(result, CallerCost.ALLOCATION);
        System.out.printf(Locale.ROOT, "%n%-28s %12s %12s%n", "save, median of " + rounds.size(), base, other);
        print("p50, microseconds", rounds, p50);
        print("caller CPU, nanoseconds", rounds, cpu);
        print("caller allocation, bytes", rounds, bytes);
        System.out.printf(Locale.ROOT, "p50         %.3f x   (goal 1.03)%n", ratio(rounds, p50));
        System.out.printf(Locale.ROOT, "caller CPU  %.3f x   (goal 1.05)%n", ratio(rounds, cpu));
        System.out.printf(
                Locale.ROOT,
                "allocation  %+.0f B   (goal +200)%n",
                median(rounds, round -> bytes.applyAsDouble(round.other()) - bytes.applyAsDouble(round.base())));
    }

    private static void print(String name, List<Round> rounds, ToDoubleFunction<RunResult> measure) {
        System.out.printf(
                Locale.ROOT,
                "%-28s %12.1f %12.1f%n",
                name,
                median(rounds, round -> measure.applyAsDouble(round.base())),
                median(rounds, round -> measure.applyAsDouble(round.other())));
    }

    private static double ratio(List<Round> rounds, ToDoubleFunction<RunResult> measure) {
        return median(rounds, round -> measure.applyAsDouble(round.other()) / measure.applyAsDouble(round.base()));
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> measure) {
        double[] sorted = rounds.stream().mapToDouble(measure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static double secondary(RunResult result, String name) {
        return Objects.requireNonNull(result.getSecondaryResults().get(name), name)
                .getScore();
    }
}
