package io.surewrite.testsupport;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints what {@link TestRunRecorder} found: one line for each module and lane, and how many tests each lane has run. */
public final class TestRunReport {

    private static final List<String> COLUMNS = List.of(
            "module",
            "lane",
            "JVMs",
            "wall",
            "CPU",
            "server CPU",
            "waited",
            "slept",
            "servers",
            "contexts",
            "keyspaces",
            "tables",
            "tests");

    private TestRunReport() {}

    /**
     * Prints the table.
     *
     * @param arguments the folder of the whole project, and when the build began, as Maven writes it; earlier runs are left
     *     out
     * @throws IOException if what the tests left cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        long buildBegan = Instant.parse(arguments[1]).toEpochMilli();
        System.out.print(report(Path.of(arguments[0]), buildBegan));
    }

    static String report(Path project, long buildBegan) throws IOException {
        Map<String, List<Properties>> runs;
        try (Stream<Path> modules = Files.list(project)) {
            runs = modules.flatMap(TestRunReport::runs)
                    .filter(run -> number(run, "started") >= buildBegan)
                    .collect(Collectors.groupingBy(
                            run -> run.getProperty("module") + " " + run.getProperty("lane"),
                            TreeMap::new,
                            Collectors.toList()));
        }
        StringBuilder report = new StringBuilder("What the tests cost, in seconds\n").append(row(COLUMNS));
        runs.values().stream()
                .sorted(Comparator.comparingLong(jvms -> min(jvms, "started")))
                .forEach(jvms -> report.append(row(cells(jvms))));
        return report.toString();
    }

    private static List<String> cells(List<Properties> jvms) {
        Properties any = jvms.get(0);
        return List.of(
                any.getProperty("module"),
                any.getProperty("lane"),
                Integer.toString(jvms.size()),
                seconds(max(jvms, "ended") - min(jvms, "started")),
                seconds(sum(jvms, "cpu")),
                seconds(sum(jvms, "serverCpu")),
                seconds(sum(jvms, "waited")),
                seconds(sum(jvms, "slept")),
                Long.toString(sum(jvms, "servers")),
                Long.toString(sum(jvms, "contexts")),
                Long.toString(sum(jvms, "keyspaces")),
                Long.toString(sum(jvms, "tables")),
                Long.toString(sum(jvms, "passed")));
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f", millis / 1000.0);
    }

    /** Names to the left, numbers to the right. */
    private static String row(List<String> cells) {
        StringBuilder row = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            int width = column < 2 ? -18 : Math.max(8, COLUMNS.get(column).length() + 2);
            row.append(String.format(Locale.ROOT, "%" + width + "s", cells.get(column)));
        }
        return row.append('\n').toString();
    }

    private static Stream<Properties> runs(Path module) {
        Path directory = module.resolve("target").resolve(TestRunRecorder.DIRECTORY);
        if (!Files.isDirectory(directory)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.list(directory)) {
            String name = String.valueOf(module.getFileName());
            return files.map(file -> read(file, name)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Properties read(Path file, String module) {
        Properties run = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            run.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run.setProperty("module", module);
        return run;
    }

    private static long number(Properties run, String name) {
        return Long.parseLong(run.getProperty(name));
    }

    private static long sum(List<Properties> jvms, String name) {
        return jvms.stream().mapToLong(run -> number(run, name)).sum();
    }

    private static long min(List<Properties> jvms, String name) {
        return jvms.stream().mapToLong(run -> number(run, name)).min().orElseThrow();
    }

    private static long max(List<Properties> jvms, String name) {
        return jvms.stream().mapToLong(run -> number(run, name)).max().orElseThrow();
    }
}
