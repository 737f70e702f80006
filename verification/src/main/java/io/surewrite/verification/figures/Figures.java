package io.surewrite.verification.figures;

import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where a benchmark says what it measured: each figure is printed at once, and kept in {@code target/report} for the report.
 * For one thread.
 */
public final class Figures {

    /** The system property with the name under which a run is kept, if not under that of its benchmark. */
    public static final String NAME = "verification.run";

    /** Where runs are kept, and the report is. */
    public static final Path DIRECTORY = Path.of("target", "report");

    private final String name;
    private final String command;
    private final Instant began = Instant.now();
    private final Map<String, String> conditions = Machine.conditions();
    private final List<Figure> figures = new ArrayList<>();

    private Figures(String name, String command) {
        this.name = name;
        this.command = command;
    }

    /**
     * Those of a run that begins now.
     *
     * @param benchmark its name, as in that of its profile
     * @param argument what it was told
     * @return no figures yet
     */
    public static Figures of(String benchmark, String argument) {
        return new Figures(
                System.getProperty(NAME, benchmark),
                "mvn -pl verification -am -DskipTests -Pbenchmark-%s -Dverification.argument=%s package"
                        .formatted(benchmark, argument));
    }

    /**
     * Notes which server is measured.
     *
     * @param server the server
     * @param how what is special about it; may be empty
     */
    public void on(EmbeddedCassandra server, String... how) {
        int nodes = server.nodes().size();
        List<String> all = new ArrayList<>(List.of(server.version(), nodes == 1 ? "one node" : nodes + " nodes"));
        all.addAll(List.of(how));
        note("Cassandra", String.join(", ", all));
    }

    /**
     * Prints and keeps something under which all this is measured.
     *
     * @param name of the condition
     * @param value of it
     */
    public void note(String name, String value) {
        System.out.println(name + ": " + value);
        conditions.put(name, value);
    }

    /**
     * Prints and keeps a figure.
     *
     * @param figure what was measured
     */
    public void add(Figure figure) {
        System.out.println(figure);
        figures.add(figure);
        long seconds = ManagementFactory.getRuntimeMXBean().getUptime() / 1_000;
        try {
            new Run(command, began.truncatedTo(ChronoUnit.SECONDS).toString(), seconds, conditions, figures)
                    .write(DIRECTORY, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
