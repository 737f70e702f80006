package io.surewrite.matrix;

import io.surewrite.test.InstalledJdk;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * A combination under which the tests run, in a JVM and with a server of its own.
 *
 * @param cassandra the server's version
 * @param paxos how the server decides conditional writes
 * @param protocol between driver and server
 * @param jdk that runs the tests and the server
 */
record Cell(String cassandra, String paxos, String protocol, InstalledJdk jdk) {

    static final String ROW = "%-12s %-6s %-9s %-5s %7s %7s %8s %8s";
    static final String HEAD =
            ROW.formatted("Cassandra", "Paxos", "protocol", "JDK", "tests", "failed", "skipped", "seconds");

    /**
     * Runs tests.
     *
     * @param tests names of classes
     * @param result a file for what came of them
     * @return a row of the table
     */
    Row run(List<String> tests, Path result) throws IOException, InterruptedException {
        Files.deleteIfExists(result);
        List<String> command = new ArrayList<>(List.of(
                jdk.java(),
                "-XX:+EnableDynamicAgentLoading",
                "-Dsurewrite.embedded.version=" + cassandra,
                "-Dsurewrite.embedded.java-home=" + jdk.home(),
                "-Dsurewrite.embedded.settings.paxos-variant=" + paxos,
                "-Ddatastax-java-driver.advanced.protocol.version=" + protocol,
                "-classpath",
                System.getProperty("java.class.path"),
                CellProgram.class.getName(),
                result.toString()));
        command.addAll(tests);
        long start = System.nanoTime();
        new ProcessBuilder(command).inheritIO().start().waitFor();
        return row(result, (System.nanoTime() - start) / 1_000_000_000);
    }

    private Row row(Path result, long seconds) throws IOException {
        Properties found = new Properties();
        if (Files.exists(result)) {
            try (Reader reader = Files.newBufferedReader(result)) {
                found.load(reader);
            }
        }
        boolean right = cassandra.equals(found.getProperty("cassandra"))
                && paxos.equals(found.getProperty("paxos"))
                && protocol.equals(found.getProperty("protocol"))
                && "0".equals(found.getProperty("failed"))
                && !"0".equals(found.getProperty("tests"));
        String text = String.format(
                Locale.ROOT,
                ROW,
                found.getProperty("cassandra", cassandra + "?"),
                found.getProperty("paxos", paxos + "?"),
                found.getProperty("protocol", protocol + "?"),
                found.getProperty("jdk", jdk.version().feature() + "?"),
                found.getProperty("tests", "?"),
                found.getProperty("failed", "?"),
                found.getProperty("skipped", "?"),
                seconds);
        return new Row(text, right);
    }

    /**
     * What came of the tests.
     *
     * @param text as printed; a question mark behind what nobody could tell
     * @param right whether all passed, and on what was asked for
     */
    record Row(String text, boolean right) {}
}
