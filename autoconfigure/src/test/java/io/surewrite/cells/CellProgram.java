package io.surewrite.cells;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.surewrite.testsupport.InEachCell;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs the tests of each cell in this JVM, one class after the other, and writes down what came of them and on which server
 * and JDK that was.
 */
final class CellProgram {

    private CellProgram() {}

    public static void main(String[] arguments) throws IOException {
        run(WhereTheTestsAre.class);
        long succeeded = 0;
        List<String> failures = new ArrayList<>();
        for (Class<?> test : tests()) {
            TestExecutionSummary summary = run(test);
            succeeded += summary.getTestsSucceededCount();
            summary.getFailures()
                    .forEach(failure -> failures.add(test.getSimpleName() + ": "
                            + failure.getTestIdentifier().getDisplayName() + ": " + failure.getException()));
        }
        Properties result = WhereTheTestsAre.FOUND;
        result.setProperty("jdk", Integer.toString(Runtime.version().feature()));
        result.setProperty("tests", Long.toString(succeeded + failures.size()));
        result.setProperty("failed", Integer.toString(failures.size()));
        result.setProperty("failures", String.join("\n", failures));
        try (Writer writer = Files.newBufferedWriter(Path.of(arguments[0]))) {
            result.store(writer, null);
        }
        System.exit(0); // whatever the tests left running
    }

    /** {@return the classes that say so, wherever they are} */
    static List<Class<?>> tests() {
        return ReflectionSupport.findAllClassesInPackage(
                        "io.surewrite",
                        type -> type.isAnnotationPresent(InEachCell.class),
                        name -> name.endsWith("IntegrationTests"))
                .stream()
                .sorted(Comparator.comparing(Class::getName))
                .toList();
    }

    /** In a request of its own: the tests of two would run beside each other, and each class keeps its session in a static field. */
    private static TestExecutionSummary run(Class<?> test) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(test))
                                .build(),
                        listener);
        listener.getSummary().printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 20);
        return listener.getSummary();
    }
}
