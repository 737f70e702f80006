package io.surewrite.verification.benchmark;

import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The benchmarks. {@code mvn -pl verification -am -Pbenchmark -Dbenchmark=lease process-classes} prints
 * the table of one; {@code -Dseconds=120} measures for longer, {@code -Dnodes=3} and {@code -Dpaxos=v1} on other servers.
 * {@code -Dbenchmark=page} runs {@code calls} and puts its tables into {@code docs/performance.md}.
 */
public final class Benchmarks {

    private static final Path PAGE = Path.of("..", "docs", "performance.md");

    /** What follows on the page is made. */
    private static final String MADE = "\n## The figures\n";

    /** What is measured of one promise. */
    interface Benchmark {

        /** Measures. */
        void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception;
    }

    private Benchmarks() {}

    /** Runs one benchmark. */
    public static void main(String[] args) throws Exception {
        Benchmark benchmark = switch (args[0]) {
            case "calls", "page" -> new CallsBenchmark();
            case "unique" -> new UniqueBenchmark();
            case "lease" -> new LeaseBenchmark();
            case "overwrite" -> new OverwriteBenchmark();
            case "backlog" -> new BacklogBenchmark();
            case "journal" -> new JournalBenchmark();
            default -> throw new IllegalArgumentException("There is no benchmark " + args[0]);
        };
        try (EmbeddedCassandra server = start(Integer.parseInt(args[2]), args[3])) {
            Duration howLong = Duration.ofSeconds(Long.parseLong(args[1]));
            Results results = new Results();
            benchmark.measure(server, howLong, results);
            if (args[0].equals("page")) {
                String made =
                        "Commit %s, Cassandra %s, nodes: %s, Paxos %s, seconds for each part: %s, processors: %d%n%n%s"
                                .formatted(
                                        commit(),
                                        server.version(),
                                        args[2],
                                        args[3],
                                        args[1],
                                        Runtime.getRuntime().availableProcessors(),
                                        results);
                String page = Files.readString(PAGE);
                Files.writeString(PAGE, page.substring(0, page.indexOf(MADE)) + MADE + made);
            }
        }
    }

    private static String commit() throws IOException {
        Process git = new ProcessBuilder("git", "rev-parse", "--short", "HEAD").start();
        return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
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
}
