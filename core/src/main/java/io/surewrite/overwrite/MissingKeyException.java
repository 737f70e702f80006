package io.surewrite.overwrite;

/** An entity lacks a value of its primary key, or its partition key is empty. */
public class MissingKeyException extends OverwriteException {

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     */
    public MissingKeyException(String message) {
        super(message);
    }
}
