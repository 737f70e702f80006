package io.surewrite.retry;

import java.util.List;

/** An {@link Idempotent} annotation that cannot be honoured; the application does not start. */
public class IdempotentMethodException extends IllegalStateException {

    /**
     * Creates the exception.
     *
     * @param method the method, with its class
     * @param reasons each with the fix
     */
    public IdempotentMethodException(String method, List<String> reasons) {
        super("%s cannot be @Idempotent:%n - %s"
                .formatted(method, String.join(System.lineSeparator() + " - ", reasons)));
    }
}
