package io.surewrite.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Appends a line to {@code target/contexts.txt} of a module for each application context that a test opens, with the name of its class:
 * after a clean build, the lines of all modules are the contexts that it opened.
 */
public final class ContextCounter implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Path TARGET = Path.of("target");
    private static final String FILE = "contexts.txt";

    /** For Spring, which finds this class in {@code spring.factories}. */
    public ContextCounter() {}

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        if (Files.isDirectory(TARGET)) {
            try {
                Files.writeString(
                        TARGET.resolve(FILE), test() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static String test() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .filter(name -> name.contains("Tests"))
                        .reduce((inner, outer) -> outer))
                .orElse("shared by test classes");
    }
}
