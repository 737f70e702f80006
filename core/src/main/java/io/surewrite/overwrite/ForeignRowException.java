package io.surewrite.overwrite;

/** A row given for the replacement of a partition belongs to another partition. */
public class ForeignRowException extends OverwriteException {

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     */
    public ForeignRowException(String message) {
        super(message);
    }
}
