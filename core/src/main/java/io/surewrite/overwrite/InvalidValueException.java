package io.surewrite.overwrite;

import org.jspecify.annotations.Nullable;

/** A value that its column cannot hold: a null in a collection, a vector of another dimension, a value of another type. */
public class InvalidValueException extends OverwriteException {

    private static final long serialVersionUID = 1L;

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     * @param cause what the driver or the mapping says, or null
     */
    public InvalidValueException(String message, @Nullable Throwable cause) {
        super(message);
        if (cause != null) {
            initCause(cause);
        }
    }
}
