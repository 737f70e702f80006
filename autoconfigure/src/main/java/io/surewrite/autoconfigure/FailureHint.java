package io.surewrite.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Says where an exception of Surewrite's is explained that the application's own code met at the start, as in a runner. Its stack trace
 * follows. After the analyzers, which explain all others.
 */
@Order(Ordered.LOWEST_PRECEDENCE)
final class FailureHint implements SpringBootExceptionReporter {

    private static final Logger log = LoggerFactory.getLogger(FailureHint.class);

    private static final String OURS = "io.surewrite.";

    FailureHint() {}

    @Override
    public boolean reportException(Throwable failure) {
        Throwable ours = firstOfOurs(failure);
        if (ours != null) {
            log.error("What {} means: {}", ours.getClass().getSimpleName(), HumanText.entry(ours));
        }
        return false;
    }

    private static @Nullable Throwable firstOfOurs(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each.getClass().getName().startsWith(OURS)) {
                return each;
            }
        }
        return null;
    }
}
