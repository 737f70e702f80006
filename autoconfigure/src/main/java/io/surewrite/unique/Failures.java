package io.surewrite.unique;

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
}
