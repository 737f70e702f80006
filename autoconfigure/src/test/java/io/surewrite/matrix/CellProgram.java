package io.surewrite.matrix;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes in this JVM, and writes down what came of it and on which server and JDK it was. */
final class CellProgram {

    private CellProgram() {}

    public static void main(String[] arguments) throws IOException {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Stream<String> tests = Stream.concat(
                Stream.of(WhereTheTestsAre.class.getName()),
                Arrays.stream(arguments).skip(1));
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(tests.map(name -> selectClass(name)).toList())
                                .build(),
                        listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 20);
        Properties result = WhereTheTestsAre.FOUND;
        result.setProperty("jdk", Integer.toString(Runtime.version().feature()));
        result.setProperty("tests", Long.toString(summary.getTestsFoundCount() - 1)); // not WhereTheTestsAre
        result.setProperty("failed", Long.toString(summary.getTotalFailureCount()));
        result.setProperty("skipped", Long.toString(summary.getTestsSkippedCount() + summary.getTestsAbortedCount()));
        try (Writer writer = Files.newBufferedWriter(Path.of(arguments[0]))) {
            result.store(writer, null);
        }
        System.exit(0); // whatever the tests left running
    }
}
