package io.surewrite.overwrite;

/** A null was given in the place of an entity. */
public class NullEntityException extends OverwriteException {

    private static final long serialVersionUID = 1L;

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     */
    public NullEntityException(String message) {
        super(message);
    }
}
