package io.surewrite.verification;

import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How soon the embedded server answers CQL, next to a plain fork of {@code CassandraDaemon} with the same
 * {@code cassandra.yaml} and system properties. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-startup package}; {@code -Dverification.argument=3} starts each
 * three times instead of five.
 */
public final class StartupBenchmark {

    private StartupBenchmark() {}

    /**
     * Runs the benchmark and prints its result.
     *
     * @param args how many rounds
     * @throws IOException when a server's files cannot be written
     */
    public static void main(String[] args) throws IOException {
        int rounds = Integer.parseInt(args[0]);
        Figures figures = Figures.of("startup", args[0]);
        PlainServer plain;
        PlainServer tuned;
        // The first start makes the archive, and shows the files that the plain servers get too.
        try (EmbeddedCassandra warmUp = EmbeddedCassandra.builder().start()) {
            figures.on(warmUp);
            plain = PlainServer.like(warmUp, false);
            tuned = PlainServer.like(warmUp, true);
        }
        // Configuration, system properties, class path and heap are the same for all.
        figures.note("Flags of the plain fork", plain.flags());
        figures.note("Our flags", tuned.flags() + ", and a class-data-sharing archive");
        List<Duration> plainTimes = new ArrayList<>();
        List<Duration> tunedTimes = new ArrayList<>();
        List<Duration> embeddedTimes = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            plainTimes.add(plain.timeStart());
            embeddedTimes.add(timeEmbeddedStart());
            tunedTimes.add(tuned.timeStart());
            System.out.printf(
                    "round %d: plain %.2f s, embedded %.2f s, plain with our JVM flags %.2f s%n",
                    round, seconds(last(plainTimes)), seconds(last(embeddedTimes)), seconds(last(tunedTimes)));
        }
        String what = "start until it answers CQL, median of " + rounds;
        double embedded = median(embeddedTimes);
        figures.add(Figure.ratio(what, "s", embedded, "plain fork of CassandraDaemon", median(plainTimes))
                .withGoal(Goal.atMost(0.85)));
        figures.add(Figure.ratio(what, "s", embedded, "plain fork with our JVM flags, no archive", median(tunedTimes)));
    }

    /** All that a user waits for: the search for a JDK, the files, the process, its answer. */
    private static Duration timeEmbeddedStart() {
        long start = System.nanoTime();
        EmbeddedCassandra server = EmbeddedCassandra.builder().start();
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        server.close();
        return took;
    }

    private static double median(List<Duration> times) {
        return seconds(times.stream().sorted().toList().get(times.size() / 2));
    }

    private static Duration last(List<Duration> times) {
        return times.get(times.size() - 1);
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
