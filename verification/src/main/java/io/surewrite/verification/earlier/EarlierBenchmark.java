package io.surewrite.verification.earlier;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.verification.Arguments;
import io.surewrite.verification.PaxosServer;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
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
public final class EarlierBenchmark {

    private static final int CALLS = 50;

    /** Up to this one build is no worse than another. A pair of processes with the same build may lie further apart. */
    private static final double NO_WORSE = 1.03;

    private final EmbeddedCassandra server;
    private final List<String> work;
    private final int seconds;
    private final int turns;
    private final Map<String, List<Double>> ours = new HashMap<>();
    private final Map<String, List<Double>> theirs = new HashMap<>();
    private final Random random = new Random(1);

    private EarlierBenchmark(EmbeddedCassandra server, List<String> work, int seconds, int turns) {
        this.server = server;
        this.work = work;
        this.seconds = seconds;
        this.turns = turns;
    }

    /**
     * Runs the benchmark.
     *
     * @param args the file with the class path of this build's starter, that of the earlier one's, the name of that, what is
     *     measured (all that begins so, beside the lock by hand), how many pairs of processes, for how many seconds each
     *     kind of work warms up, how many turns, on how many nodes, and with which Paxos, as one text with commas
     * @throws Exception when the server or a process cannot be started
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "", "", "the earlier build", "", "3", "10", "40", "1", "v2");
        Figures figures = Figures.of("earlier", arguments.toString());
        String paxos = arguments.text(8);
        try (EmbeddedCassandra server = PaxosServer.start(arguments.number(7), paxos)) {
            figures.on(server, "Paxos " + paxos);
            prepare(server);
            EarlierBenchmark benchmark =
                    new EarlierBenchmark(server, work(arguments.text(3)), arguments.number(5), arguments.number(6));
            for (int pair = 0; pair < arguments.number(4); pair++) {
                benchmark.measure(classPath(arguments.text(0)), classPath(arguments.text(1)));
            }
            benchmark.compare(arguments.text(2), figures);
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

    private void measure(String current, String earlier) throws Exception {
        try (Build one = new Build("ours", current);
                Build other = new Build("theirs", earlier)) {
            for (String what : work) {
                one.ask("warm " + seconds + " " + what);
                other.ask("warm " + seconds + " " + what);
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
    }

    private static void add(Map<String, List<Double>> medians, String what, double median) {
        medians.computeIfAbsent(what, none -> new ArrayList<>()).add(median);
    }

    private void compare(String whose, Figures figures) {
        for (String what : work) {
            List<Double> here = Objects.requireNonNull(ours.get(what));
            List<Double> there = Objects.requireNonNull(theirs.get(what));
            List<Double> ratios = IntStream.range(0, here.size())
                    .mapToObj(turn -> here.get(turn) / there.get(turn))
                    .toList();
            figures.add(Figure.ratio(what + ", p50", "ms", median(here), whose, median(there))
                    .withResult(median(ratios))
                    .withGoal(Goal.atMost(NO_WORSE)));
            System.out.println(IntStream.range(0, ratios.size() / turns)
                    .mapToObj(pair -> "%.3f".formatted(median(ratios.subList(pair * turns, (pair + 1) * turns))))
                    .toList());
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** A build in a process of its own. */
    private final class Build implements AutoCloseable {

        private final Process process;
        private final Writer told;
        private final BufferedReader said;

        Build(String keyspace, String classPath) throws IOException {
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
