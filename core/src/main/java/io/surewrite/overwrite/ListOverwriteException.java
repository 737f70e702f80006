package io.surewrite.overwrite;

/** A non-frozen list would be overwritten: repeating that write would duplicate its elements. */
public class ListOverwriteException extends OverwriteException {

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     */
    public ListOverwriteException(String message) {
        super(message);
    }
}
