package io.surewrite.unique;

import io.surewrite.cql.UnknownOutcomeException;

/**
 * The write was so slow that others took its claim away, and the row is there: another operation on the same row may
 * have built on it, or a part of it was kept. Read the row to see what is in effect; calling again settles it.
 */
public class SupersededException extends UnknownOutcomeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which operation
     */
    public SupersededException(String message) {
        super(message, null);
    }

    @Override
    public SupersededException copy() {
        return new SupersededException(String.valueOf(getMessage()));
    }
}
