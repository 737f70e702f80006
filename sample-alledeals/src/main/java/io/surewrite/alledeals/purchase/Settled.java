package io.surewrite.alledeals.purchase;

import io.surewrite.write.UnknownOutcomeException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.springframework.dao.DataAccessException;

/** Waits for an answer, and fails with the exceptions that callers know. */
final class Settled {

    private Settled() {}

    static <T> T value(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof DataAccessException known
                    ? known
                    : new UnknownOutcomeException("The database gave no clear answer", failure.getCause());
        }
    }
}
