package io.surewrite.cql;

/** A table is written at another serial consistency than this process is configured for. */
public final class SerialConsistencyException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String mend;

    /**
     * Creates the exception.
     *
     * @param message the table, and both levels
     * @param mend what to do about it
     */
    public SerialConsistencyException(String message, String mend) {
        super(message);
        this.mend = mend;
    }

    /** {@return what to do about it} */
    public String mend() {
        return mend;
    }
}
