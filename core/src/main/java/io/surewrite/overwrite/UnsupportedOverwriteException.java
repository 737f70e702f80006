package io.surewrite.overwrite;

/** The table, the entity or the combination of rows cannot be overwritten as one mutation. */
public class UnsupportedOverwriteException extends OverwriteException {

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     */
    public UnsupportedOverwriteException(String message) {
        super(message);
    }
}
