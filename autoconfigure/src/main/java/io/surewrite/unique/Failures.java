package io.surewrite.unique;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Takes failures out of what futures wrap them in. */
final class Failures {

    private Failures() {}

    static Throwable unwrap(Throwable failure) {
        return (failure instanceof CompletionException || failure instanceof ExecutionException)
                        && failure.getCause() != null
                ? unwrap(failure.getCause())
                : failure;
    }

    /** {@return the value of a completed call} It throws the call's own failure. */
    static <T> T join(CompletableFuture<T> call) {
        try {
            return call.join();
        } catch (CompletionException failed) {
            Throwable failure = unwrap(failed);
            if (failure instanceof RuntimeException own) {
                throw own;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw failed;
        }
    }
}
