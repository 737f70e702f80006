package io.surewrite.overwrite;

/** The values of one overwrite exceed the limit for a single mutation. */
public class OverwriteTooLargeException extends OverwriteException {

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     */
    public OverwriteTooLargeException(String message) {
        super(message);
    }
}
