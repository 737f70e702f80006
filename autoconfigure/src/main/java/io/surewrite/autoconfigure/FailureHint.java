package io.surewrite.autoconfigure;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Says where an exception of Surewrite's is explained that the application's own code met at the start, as in a runner. Its stack trace
 * follows. What {@link SurewriteFailureAnalyzer} explains needs no more: which of the two Spring Boot asks first depends on the class path.
 */
@Order(Ordered.LOWEST_PRECEDENCE)
final class FailureHint implements SpringBootExceptionReporter {

    private static final Logger log = LoggerFactory.getLogger(FailureHint.class);

    /** The packages whose exceptions the page on messages explains. */
    private static final Pattern OURS = Pattern.compile(
            "io\\.surewrite\\.(backlog|journal|lease|overwrite|repository|retry|schema|session|unique|write)\\..*");

    FailureHint() {}

    @Override
    public boolean reportException(Throwable failure) {
        Throwable ours = firstOfOurs(failure);
        if (ours != null && new SurewriteFailureAnalyzer(null).analyze(failure) == null) {
            log.error("What {} means: {}", ours.getClass().getSimpleName(), HumanText.entry(ours));
        }
        return false;
    }

    private static @Nullable Throwable firstOfOurs(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (OURS.matcher(each.getClass().getName()).matches()) {
                return each;
            }
        }
        return null;
    }
}
