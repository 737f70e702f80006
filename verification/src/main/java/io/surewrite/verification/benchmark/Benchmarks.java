package io.surewrite.verification.benchmark;

import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The benchmarks. {@code mvn -pl verification -am -Pbenchmark -Dbenchmark=lease process-classes} prints
 * the table of one; {@code -Dseconds=120} measures for longer, {@code -Dnodes=3} and {@code -Dpaxos=v1} on other servers.
 * {@code -Dbenchmark=all} runs all of them, each in a process of its own, so that nobody's heap and compiled code disturb the
 * next, and makes {@code docs/performance.md}.
 */
public final class Benchmarks {

    private static final Map<String, Benchmark> ALL = new LinkedHashMap<>();

    private static final String PAGE = """
            # Performance

            `mvn -pl verification -am -Pbenchmark -Dbenchmark=all process-classes` makes this page anew, on %d processors that serve client and server.

            All in a table was measured in one run, one call of each kind after the other at random, ours beside plain Spring Data or the same by hand: only
            the results mean something. Times are medians; a range is that of five blocks. [What is compared](verification.md#benchmarks).
            """;

    static {
        ALL.put("calls", new CallsBenchmark());
        ALL.put("unique", new UniqueBenchmark());
        ALL.put("lease", new LeaseBenchmark());
        ALL.put("overwrite", new OverwriteBenchmark());
        ALL.put("backlog", new BacklogBenchmark());
        ALL.put("journal", new JournalBenchmark());
    }

    /** What is measured of one promise. */
    interface Benchmark {

        /**
         * Measures.
         *
         * @param server what runs alone for it
         * @param howLong each comparison lasts, after as long to warm up
         * @param results where the results go
         */
        void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception;
    }

    private Benchmarks() {}

    /**
     * Runs one benchmark, or all.
     *
     * @param args its name, for how many seconds, on how many nodes, with which Paxos, and more where it is {@code earlier}
     * @throws Exception when it failed
     */
    public static void main(String[] args) throws Exception {
        if (args[0].equals("all")) {
            writePage(args);
            return;
        }
        try (EmbeddedCassandra server = start(Integer.parseInt(args[2]), args[3])) {
            Duration howLong = Duration.ofSeconds(Long.parseLong(args[1]));
            Results results = new Results();
            if (args[0].equals("earlier")) {
                EarlierBenchmark.of(args[4]).measure(server, howLong, results);
            } else {
                Objects.requireNonNull(ALL.get(args[0]), args[0]).measure(server, howLong, results);
            }
            Files.writeString(
                    file(args[0]),
                    "## %s%nCommit %s, Cassandra %s, nodes: %s, Paxos %s, seconds for each comparison: %s%n%n%s"
                            .formatted(args[0], commit(), server.version(), args[2], args[3], args[1], results));
        }
    }

    private static String commit() throws IOException {
        Process git = new ProcessBuilder("git", "rev-parse", "--short", "HEAD").start();
        return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static Path file(String benchmark) throws IOException {
        return Files.createDirectories(Path.of("target", "benchmarks")).resolve(benchmark + ".md");
    }

    /** With the second compiler, as in production, and without warnings of tombstones, which would slow reads further. */
    private static EmbeddedCassandra start(int nodes, String paxos) {
        return EmbeddedCassandra.builder()
                .nodes(nodes)
                .setting("paxos_variant", paxos)
                .setting("tombstone_warn_threshold", 1_000_000)
                .setting("tombstone_failure_threshold", 10_000_000)
                .jvmArgument("-XX:TieredStopAtLevel=4")
                .start();
    }

    private static void writePage(String[] args) throws IOException, InterruptedException {
        StringBuilder page =
                new StringBuilder(PAGE.formatted(Runtime.getRuntime().availableProcessors()));
        for (String benchmark : ALL.keySet()) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-classpath",
                    System.getProperty("java.class.path"),
                    Benchmarks.class.getName(),
                    benchmark));
            command.addAll(List.of(args).subList(1, args.length));
            if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
                throw new IllegalStateException(benchmark + " has failed");
            }
            page.append('\n').append(Files.readString(file(benchmark)));
        }
        Files.writeString(Path.of("..", "docs", "performance.md"), page);
    }
}
