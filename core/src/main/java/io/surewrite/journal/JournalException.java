package io.surewrite.journal;

import org.springframework.dao.InvalidDataAccessApiUsageException;

/** The journal refused something before anything was sent. Repeating it does not help. */
public class JournalException extends InvalidDataAccessApiUsageException {

    public JournalException(String message) {
        super(message);
    }
}
