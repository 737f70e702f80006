package io.surewrite.alledeals.web;

import io.surewrite.write.UnknownOutcomeException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.stereotype.Component;

/**
 * The database as somebody sees it who can do without it for a while. After a failure nobody asks for a moment: not
 * everybody has to wait for a timeout to hear the same.
 */
@Component
public class Storeroom {

    private static final long MOMENT = Duration.ofSeconds(2).toNanos();

    private volatile long failedAt = System.nanoTime() - MOMENT;

    /** Asks the database, or does without it. */
    public <T extends @Nullable Object> T ask(Supplier<T> question, Supplier<T> otherwise) {
        if (System.nanoTime() - failedAt < MOMENT) {
            return otherwise.get();
        }
        try {
            return question.get();
        } catch (DataAccessResourceFailureException
                | TransientDataAccessException
                | UncategorizedDataAccessException
                | UnknownOutcomeException noAnswer) {
            failedAt = System.nanoTime();
            return otherwise.get();
        }
    }
}
