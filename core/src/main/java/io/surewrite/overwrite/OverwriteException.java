package io.surewrite.overwrite;

import org.springframework.dao.InvalidDataAccessApiUsageException;

/** An overwrite that was refused before anything was sent. Repeating it does not help. */
public abstract class OverwriteException extends InvalidDataAccessApiUsageException {

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     */
    public OverwriteException(String message) {
        super(message);
    }
}
