package io.surewrite.lease;

/** A {@link WithLease} annotation that cannot be honoured; the application does not start. */
public final class LeasedMethodException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param method the method, with its class
     * @param reason what is wrong, with the fix
     */
    public LeasedMethodException(String method, String reason) {
        super("@WithLease on %s: %s".formatted(method, reason));
    }
}
