package io.surewrite.verification;

import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How soon the embedded server answers CQL, next to a plain fork of {@code CassandraDaemon} with the same
 * {@code cassandra.yaml} and system properties. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-startup verify}.
 */
public final class StartupBenchmark {

    private static final int ROUNDS = 5;
    private static final double GOAL = 0.85;

    private StartupBenchmark() {}

    /**
     * Runs the benchmark and prints its result.
     *
     * @param args none
     * @throws IOException when a server's files cannot be written
     */
    public static void main(String[] args) throws IOException {
        PlainServer plain;
        PlainServer tuned;
        // The first start makes the archive, and shows the files that the plain servers get too.
        try (EmbeddedCassandra warmUp = EmbeddedCassandra.builder().start()) {
            plain = PlainServer.like(warmUp, false);
            tuned = PlainServer.like(warmUp, true);
        }
        List<Duration> plainTimes = new ArrayList<>();
        List<Duration> tunedTimes = new ArrayList<>();
        List<Duration> embeddedTimes = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            plainTimes.add(plain.timeStart());
            embeddedTimes.add(timeEmbeddedStart());
            tunedTimes.add(tuned.timeStart());
            System.out.printf(
                    "round %d: plain %.2f s, embedded %.2f s, plain with our JVM flags %.2f s%n",
                    round, seconds(last(plainTimes)), seconds(last(embeddedTimes)), seconds(last(tunedTimes)));
        }
        report(plain, median(plainTimes), tuned, median(tunedTimes), median(embeddedTimes));
    }

    /** All that a user waits for: the search for a JDK, the files, the process, its answer. */
    @SuppressWarnings("try") // only its start matters
    private static Duration timeEmbeddedStart() {
        long start = System.nanoTime();
        try (EmbeddedCassandra server = EmbeddedCassandra.builder().start()) {
            return Duration.ofNanos(System.nanoTime() - start);
        }
    }

    private static void report(
            PlainServer plain, double plainMedian, PlainServer tuned, double tunedMedian, double embeddedMedian) {
        System.out.printf(
                """

                Start of Cassandra until it answers CQL, median of %d, alternating, each in a fresh directory
                  plain fork of CassandraDaemon              %6.2f s
                  plain fork with our JVM flags, no archive  %6.2f s
                  EmbeddedCassandra.builder().start()        %6.2f s
                  embedded / plain                           %6.2f   (goal: %.2f at most, %s)
                  embedded / plain with our JVM flags        %6.2f
                Same cassandra.yaml, system properties, class path and heap for all. JVM flags:
                  plain     %s
                  ours      %s
                  embedded  those of ours and a class-data-sharing archive
                Machine: %s %s, %d processors, this program on Java %s, load %.1f
                """,
                ROUNDS,
                plainMedian,
                tunedMedian,
                embeddedMedian,
                embeddedMedian / plainMedian,
                GOAL,
                embeddedMedian <= GOAL * plainMedian ? "met" : "missed",
                embeddedMedian / tunedMedian,
                plain.flags(),
                tuned.flags(),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
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
