package io.surewrite.backlog;

import io.surewrite.write.WriteFailures.CopyableFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.NonTransientDataAccessException;

/** The backlog could not do what it was asked for; nothing was kept. The message says what to fix. */
public class BacklogException extends NonTransientDataAccessException implements CopyableFailure {

    private final Reason reason;

    /** Why it could not. */
    public enum Reason {
        /** The disk does not take it, or an entry cannot be read, or the backlog is closed. */
        UNAVAILABLE,
        /** What was kept is not on the disk as it was written. Nothing of it was replayed. */
        DAMAGED,
        /** Another process, or another context of this one, writes the same directory. */
        LOCKED,
        /** There is no room for another entry. */
        FULL,
        /** The statement must not wait: done later, it could do something else than it would have done now. */
        REFUSED
    }

    BacklogException(Reason reason, String message) {
        this(reason, message, null);
    }

    public BacklogException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** {@return why it could not} */
    public Reason reason() {
        return reason;
    }

    @Override
    public BacklogException copy() {
        return new BacklogException(reason, String.valueOf(getMessage()), getCause());
    }
}
