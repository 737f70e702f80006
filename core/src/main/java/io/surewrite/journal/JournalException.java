package io.surewrite.journal;

import org.springframework.dao.InvalidDataAccessApiUsageException;

/** The journal refused something before anything was sent. Repeating it does not help. */
public class JournalException extends InvalidDataAccessApiUsageException {

    /**
     * Says what was refused.
     *
     * @param message the reason and the fix
     */
    public JournalException(String message) {
        super(message);
    }
}
