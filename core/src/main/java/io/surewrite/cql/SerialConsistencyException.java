package io.surewrite.cql;

/**
 * A table is written at another serial consistency than this process is configured for, or, with {@code local-serial}, in
 * another data centre.
 */
public final class SerialConsistencyException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String fix;

    /**
     * Creates the exception.
     *
     * @param message the table, and both levels or data centres
     * @param fix what to do about it
     */
    public SerialConsistencyException(String message, String fix) {
        super(message);
        this.fix = fix;
    }

    /** {@return what to do about it} */
    public String fix() {
        return fix;
    }
}
