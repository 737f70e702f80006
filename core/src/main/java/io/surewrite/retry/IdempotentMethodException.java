package io.surewrite.retry;

import java.util.List;

/** An {@link Idempotent} annotation that cannot be honoured; the application does not start. */
public class IdempotentMethodException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String method;

    @SuppressWarnings("serial") // lists of texts are
    private final List<String> reasons;

    /**
     * Creates the exception.
     *
     * @param method the method, with its class
     * @param reasons each with the fix
     */
    public IdempotentMethodException(String method, List<String> reasons) {
        super("%s cannot be @Idempotent:%n - %s"
                .formatted(method, String.join(System.lineSeparator() + " - ", reasons)));
        this.method = method;
        this.reasons = List.copyOf(reasons);
    }

    /** {@return the method, with its class; several, separated by commas, if they are refused for the same reasons} */
    public String method() {
        return method;
    }

    /** {@return the reasons, each with the fix} */
    public List<String> reasons() {
        return reasons;
    }
}
