package io.surewrite.verification.overhead;

import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.verification.Arguments;
import io.surewrite.verification.Throughput;
import io.surewrite.verification.Times;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What {@code @Idempotent} costs a call, or what the backlog adds to that, in one run on the embedded node. Both sides take
 * turns in one JVM, call by call for how long a call takes, and by two seconds for what it costs its thread, so that whatever
 * slows the machine, the server or the compiled code slows both. A third side would change what it is compiled to. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-overhead package}; {@code -Dverification.argument=20} measures 20
 * rounds, after a third of that with 16 threads to warm up, and {@code -Dverification.argument=60,kept} compares calls with a
 * backlog with those without.
 */
public final class OverheadBenchmark {

    private static final String PLAIN = "plain";
    private static final String IDEMPOTENT = "idempotent";
    private static final String KEPT = "kept";

    private static final Duration ROUND = Duration.ofSeconds(2);

    private final Map<String, List<RunResult>> rounds = new HashMap<>();

    /** Of each round the median of each side's calls, in microseconds. */
    private final Map<String, List<Double>> calls = new HashMap<>();

    private final Figures figures;

    private OverheadBenchmark(Figures figures) {
        this.figures = figures;
    }

    /**
     * Runs the benchmark and prints its result.
     *
     * @param given how many rounds, and {@code kept} for calls with a backlog
     * @throws RunnerException when a call fails
     */
    public static void main(String[] given) throws RunnerException {
        Arguments arguments = Arguments.of(given, "60", IDEMPOTENT);
        boolean kept = arguments.text(1).equals(KEPT);
        Figures figures = Figures.of(kept ? "overhead-kept" : "overhead", arguments.toString());
        try (EmbeddedCassandra cassandra = EmbeddedCassandra.builder()
                        .jvmArgument("-XX:TieredStopAtLevel=4")
                        .start();
                Shops shops = new Shops(cassandra)) {
            figures.on(cassandra);
            SaveBenchmark.measure(shops);
            OverheadBenchmark benchmark = new OverheadBenchmark(figures);
            if (kept) {
                benchmark.measure(arguments.number(0), KEPT, IDEMPOTENT);
                benchmark.compare("save kept in a backlog if need be", KEPT, "@Idempotent save", IDEMPOTENT);
            } else {
                benchmark.measure(arguments.number(0), IDEMPOTENT, PLAIN);
                benchmark.compare("@Idempotent save", IDEMPOTENT, "plain save", PLAIN);
            }
        }
    }

    /** Who begins changes, so that neither always meets what the other left behind at the server. */
    private void measure(int many, String way, String base) throws RunnerException {
        List<String> ways = new ArrayList<>(List.of(way, base));
        for (int round = 0; round < many / 3; round++) {
            for (String next : ways) {
                run(next, Throughput.THREADS); // one alone would take too long to have client and server compiled
            }
        }
        Random random = new Random(1);
        for (int round = 0; round < many; round++) {
            Collections.shuffle(ways, random);
            for (String next : ways) {
                rounds.computeIfAbsent(next, none -> new ArrayList<>()).add(run(next, 1));
            }
            callsInTurns(ways, random);
        }
    }

    /** Where the machine puts a thread may change from second to second: so sides that take turns by seconds are not alike. */
    private void callsInTurns(List<String> ways, Random random) {
        SaveBenchmark saves = new SaveBenchmark();
        Map<String, Times> times = new HashMap<>();
        ways.forEach(way -> times.put(way, new Times()));
        long end = System.nanoTime() + ROUND.multipliedBy(2).toNanos();
        while (System.nanoTime() - end < 0) {
            String way = ways.get(random.nextInt(ways.size()));
            Objects.requireNonNull(times.get(way)).time(() -> saves.save(way));
        }
        times.forEach((way, its) ->
                calls.computeIfAbsent(way, none -> new ArrayList<>()).add(its.percentileMillis(0.5) * 1_000));
    }

    private static RunResult run(String method, int threads) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(SaveBenchmark.class.getName() + "\\." + method + "$")
                        .forks(0) // both sides in this JVM
                        .threads(threads)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.seconds(ROUND.toSeconds()))
                        .addProfiler(CallerCost.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .run()
                .iterator()
                .next();
    }

    private void compare(String what, String way, String whose, String base) {
        ToDoubleFunction<RunResult> cpu = result -> secondary(result, CallerCost.CPU) / 1_000;
        ToDoubleFunction<RunResult> bytes = result -> secondary(result, CallerCost.ALLOCATION);
        DoubleBinaryOperator ratio = (one, other) -> one / other;
        List<Double> ours = Objects.requireNonNull(calls.get(way));
        List<Double> theirs = Objects.requireNonNull(calls.get(base));
        figures.add(Figure.ratio(what + ", p50", "µs", median(ours), whose, median(theirs))
                .withResult(median(IntStream.range(0, ours.size())
                        .mapToObj(round -> ours.get(round) / theirs.get(round))
                        .toList()))
                .withGoal(Goal.atMost(1.03)));
        figures.add(Figure.ratio(what + ", CPU of the caller", "µs", median(way, cpu), whose, median(base, cpu))
                .withResult(median(way, base, cpu, ratio))
                .withGoal(Goal.atMost(1.05)));
        figures.add(Figure.difference(what + ", allocation", "B", median(way, bytes), whose, median(base, bytes))
                .withResult(median(way, base, bytes, (more, less) -> more - less))
                .withGoal(Goal.atMost(200)));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private double median(String way, ToDoubleFunction<RunResult> measure) {
        return median(way, way, measure, (one, same) -> one);
    }

    /** The median of what the rounds say of two ways, each round by itself. */
    private double median(
            String way, String base, ToDoubleFunction<RunResult> measure, DoubleBinaryOperator comparison) {
        List<RunResult> ours = Objects.requireNonNull(rounds.get(way));
        List<RunResult> theirs = Objects.requireNonNull(rounds.get(base));
        return median(IntStream.range(0, ours.size())
                .mapToObj(round -> comparison.applyAsDouble(
                        measure.applyAsDouble(ours.get(round)), measure.applyAsDouble(theirs.get(round))))
                .toList());
    }

    private static double secondary(RunResult result, String name) {
        return Objects.requireNonNull(result.getSecondaryResults().get(name), name)
                .getScore();
    }
}
