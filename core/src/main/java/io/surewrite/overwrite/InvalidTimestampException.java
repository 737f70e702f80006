package io.surewrite.overwrite;

/** A write timestamp is not positive, or lies in the future, where it would shadow later writes. */
public class InvalidTimestampException extends OverwriteException {

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     */
    public InvalidTimestampException(String message) {
        super(message);
    }
}
