package io.surewrite.testsupport;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Counts the application contexts that a test JVM starts, for {@link TestRunRecorder}. */
public final class ContextCounter implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final AtomicInteger CONTEXTS = new AtomicInteger();

    /** For Spring, which finds this class in {@code spring.factories}. */
    public ContextCounter() {}

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        CONTEXTS.incrementAndGet();
    }

    static int count() {
        return CONTEXTS.get();
    }
}
