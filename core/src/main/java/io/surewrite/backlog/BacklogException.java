package io.surewrite.backlog;

import io.surewrite.cql.CopyableFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.NonTransientDataAccessException;

/** The backlog could not do what it was asked for; nothing was kept. The message says what to fix. */
public class BacklogException extends NonTransientDataAccessException implements CopyableFailure {

    /**
     * Creates the exception.
     *
     * @param message what is wrong and what fixes it
     * @param cause what the disk said, or null
     */
    public BacklogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public BacklogException copy() {
        return new BacklogException(String.valueOf(getMessage()), getCause());
    }
}
