package io.surewrite.verification.report;

import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs benchmarks in shortened form, one after another and each in a JVM of its own, so that nobody's heap and compiled code
 * disturb the next, and makes the report of all that ran. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark package}.
 */
public final class BenchmarkSuite {

    private static final Path SUMMARY = Path.of("..", "docs", "performance.md");

    private BenchmarkSuite() {}

    /**
     * Runs benchmarks and writes {@code docs/performance.md}.
     *
     * @param arguments names of benchmarks with commas; {@code none} makes the report of what ran before
     * @throws Exception when one failed; the report is written nevertheless, and says so
     */
    public static void main(String[] arguments) throws Exception {
        Files.createDirectories(Figures.DIRECTORY);
        List<String> failed = new ArrayList<>();
        List<String> names = arguments[0].equals("none") ? List.of() : List.of(arguments[0].split(",", -1));
        for (String name : names) {
            Benchmark benchmark = Benchmark.of(name);
            System.out.printf("%n=== %s%n", benchmark.title);
            Run.forget(Figures.DIRECTORY, benchmark.id());
            if (run(benchmark) != 0) {
                failed.add(name);
            }
        }
        Report.of(Figures.DIRECTORY).write(SUMMARY);
        if (!failed.isEmpty()) {
            throw new IllegalStateException("Failed: " + failed);
        }
    }

    private static int run(Benchmark benchmark) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-D" + Figures.NAME + "=" + benchmark.id(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        benchmark.program.getName(),
                        benchmark.argument)
                .inheritIO()
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return process.waitFor();
    }
}
