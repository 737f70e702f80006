package io.surewrite.cells;

import io.surewrite.test.InstalledJdk;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** A combination under which the tests run, in a JVM and with a server of its own. */
record Cell(String cassandra, String paxos, String protocol, InstalledJdk jdk) {

    /** Leaves what the tests print, and what came of them, in a folder. */
    Row run(Path results) throws IOException, InterruptedException {
        Path result = results.resolve(file("properties"));
        Files.deleteIfExists(result);
        long start = System.nanoTime();
        new ProcessBuilder(
                        jdk.java(),
                        "-XX:+EnableDynamicAgentLoading",
                        "-XX:TieredStopAtLevel=1",
                        "-Dsurewrite.embedded.version=" + cassandra,
                        "-Dsurewrite.embedded.java-home=" + jdk.home(),
                        "-Dsurewrite.embedded.settings.paxos-variant=" + paxos,
                        "-Ddatastax-java-driver.advanced.protocol.version=" + protocol,
                        "-classpath",
                        System.getProperty("java.class.path"),
                        CellProgram.class.getName(),
                        result.toString())
                .redirectErrorStream(true)
                .redirectOutput(results.resolve(file("log")).toFile())
                .start()
                .waitFor();
        return row(result, (System.nanoTime() - start) / 1_000_000_000);
    }

    private String file(String kind) {
        return toString().replace(' ', '-') + "." + kind;
    }

    /** What a file says that the tests left, if they did. */
    Row row(Path result, long seconds) throws IOException {
        Properties found = new Properties();
        if (Files.exists(result)) {
            try (Reader reader = Files.newBufferedReader(result)) {
                found.load(reader);
            }
        }
        String[] wanted = {cassandra, paxos, protocol, Integer.toString(jdk.feature())};
        String[] where = {
            found.getProperty("cassandra", cassandra + "?"),
            found.getProperty("paxos", paxos + "?"),
            found.getProperty("protocol", protocol + "?"),
            found.getProperty("jdk", wanted[3] + "?")
        };
        String tests = found.getProperty("tests", "?");
        String failed = found.getProperty("failed", "?");
        boolean right = List.of(wanted).equals(List.of(where)) && "0".equals(failed) && !"0".equals(tests);
        return new Row(
                "| %s | %s | %s | %d |".formatted(String.join(" | ", where), tests, failed, seconds),
                right,
                found.getProperty("failures", "the tests ended early").lines().toList());
    }

    @Override
    public String toString() {
        return "%s %s %s JDK %d".formatted(cassandra, paxos, protocol, jdk.feature());
    }

    /** What came of the tests: right if all passed on what was asked for; a question mark stands behind what none could tell. */
    record Row(String text, boolean right, List<String> failures) {

        static final String HEAD = """
                | Cassandra | Paxos | protocol | JDK | tests run | failed | seconds |
                |---|---|---|---|---|---|---|
                """;
    }
}
