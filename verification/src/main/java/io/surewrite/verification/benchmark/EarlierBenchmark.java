package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.embedded.EmbeddedCassandra;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * What users call, of this build and of an earlier one, on one server in one run: each in a process of its own, the two
 * in turns of 50 calls, and then again in two new processes, since each compiles its code anew. They warm up in turns, too, and the first
 * third of all turns is left out: compiling goes on for a while. {@code .ci/earlier <commit>} builds the earlier one and
 * runs it.
 */
final class EarlierBenchmark implements Benchmarks.Benchmark {

    private static final int CALLS = 50;

    /** Up to this one build is no worse than another. A pair of processes with the same build may lie further apart. */
    private static final double NO_WORSE = 1.03;

    private final List<String> classPaths;
    private final String whose;
    private final List<String> work;
    private final int pairs;
    private final int turns;
    private final Map<String, List<Double>> ours = new HashMap<>();
    private final Map<String, List<Double>> theirs = new HashMap<>();
    private final Random random = new Random(1);

    private EarlierBenchmark(List<String> classPaths, String whose, List<String> work, int pairs, int turns) {
        this.classPaths = classPaths;
        this.whose = whose;
        this.work = work;
        this.pairs = pairs;
        this.turns = turns;
    }

    /**
     * {@return what a text with commas says} The files with the class paths of both starters, the name of the earlier build,
     * what is measured (all that begins so, beside the lock by hand), how many pairs of processes, and how many turns.
     */
    static EarlierBenchmark of(String text) throws Exception {
        String[] told = text.split(",", -1);
        return new EarlierBenchmark(
                List.of(classPath(told[0]), classPath(told[1])),
                told[2],
                work(told[3]),
                Integer.parseInt(told[4]),
                Integer.parseInt(told[5]));
    }

    @Override
    public void measure(EmbeddedCassandra server, Duration warming, Results results) throws Exception {
        prepare(server);
        for (int pair = 0; pair < pairs; pair++) {
            try (Build one = new Build(server, "ours", classPaths.get(0));
                    Build other = new Build(server, "theirs", classPaths.get(1))) {
                measure(one, other, warming.toSeconds());
            }
        }
        for (String what : work) {
            List<Double> here = Objects.requireNonNull(ours.get(what));
            List<Double> there = Objects.requireNonNull(theirs.get(what));
            List<Double> ratios = IntStream.range(0, here.size())
                    .mapToObj(turn -> here.get(turn) / there.get(turn))
                    .toList();
            results.atMost(NO_WORSE, what + ", median of turns", "×", median(ratios), "itself, " + whose, 1);
            System.out.println(IntStream.range(0, pairs)
                    .mapToObj(pair -> "%.3f".formatted(median(ratios.subList(pair * turns, (pair + 1) * turns))))
                    .toList());
        }
    }

    private static List<String> work(String measured) {
        String byHand = BuildInUse.WORK.get(0);
        return BuildInUse.WORK.stream()
                .filter(what -> what.equals(byHand) || what.startsWith(measured))
                .toList();
    }

    private static void prepare(EmbeddedCassandra server) {
        for (String keyspace : List.of("ours", "theirs")) {
            server.createKeyspace(keyspace);
        }
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(server.contactPoint())
                .withLocalDatacenter(server.localDatacenter())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30)) // of DDL
                        .build())
                .build()) {
            for (String keyspace : List.of("ours", "theirs")) {
                BuildInUse.TABLES.forEach(table -> session.execute(table.formatted(keyspace)));
            }
        }
    }

    /** What is measured, and the build that it is measured on. */
    private static String classPath(String file) throws Exception {
        Path measured = Path.of(BuildInUse.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return measured + File.pathSeparator + Files.readString(Path.of(file)).strip();
    }

    private void measure(Build one, Build other, long warming) throws IOException {
        for (String what : work) {
            one.ask("warm " + warming + " " + what);
            other.ask("warm " + warming + " " + what);
        }
        List<String> order = new ArrayList<>(work);
        for (int turn = -turns / 2; turn < turns; turn++) {
            Collections.shuffle(order, random);
            for (String what : order) {
                boolean oursFirst = random.nextBoolean();
                double before = oursFirst ? one.median(what) : 0;
                double its = other.median(what);
                double own = oursFirst ? before : one.median(what);
                if (turn >= 0) {
                    add(ours, what, own);
                    add(theirs, what, its);
                }
            }
        }
    }

    private static void add(Map<String, List<Double>> medians, String what, double median) {
        medians.computeIfAbsent(what, none -> new ArrayList<>()).add(median);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** A build in a process of its own. */
    private static final class Build implements AutoCloseable {

        private final Process process;
        private final Writer told;
        private final BufferedReader said;

        Build(EmbeddedCassandra server, String keyspace, String classPath) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-classpath",
                            classPath,
                            BuildInUse.class.getName(),
                            "--spring.cassandra.contact-points=127.0.0.1:"
                                    + server.contactPoint().getPort(),
                            "--spring.cassandra.local-datacenter=" + server.localDatacenter(),
                            "--spring.cassandra.keyspace-name=" + keyspace)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            told = process.outputWriter();
            said = process.inputReader();
        }

        double median(String what) throws IOException {
            return ask("time " + CALLS + " " + what);
        }

        private double ask(String question) throws IOException {
            try {
                told.write(question + "\n");
                told.flush();
            } catch (IOException ended) {
                said.lines().forEach(System.out::println); // says why
                throw ended;
            }
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.startsWith(BuildInUse.ANSWER)) {
                    return Double.parseDouble(line.substring(BuildInUse.ANSWER.length()));
                }
                System.out.println(line);
            }
            throw new IllegalStateException("The process has ended");
        }

        @Override
        public void close() throws IOException {
            told.close();
            process.onExit()
                    .completeOnTimeout(process, 30, TimeUnit.SECONDS)
                    .join()
                    .destroyForcibly();
        }
    }
}
