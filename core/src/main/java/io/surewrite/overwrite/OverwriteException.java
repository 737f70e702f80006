package io.surewrite.overwrite;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/** An overwrite that was refused before anything was sent. Repeating it does not help. */
public final class OverwriteException extends InvalidDataAccessApiUsageException {

    /** Why an overwrite was refused. */
    public enum Reason {
        /** A null was given in the place of an entity. */
        NULL_ENTITY,
        /** An entity lacks a value of its primary key, or its partition key is empty. */
        MISSING_KEY,
        /** A row given for the replacement of a partition belongs to another partition. */
        FOREIGN_ROW,
        /** A value that its column cannot hold: a null in a collection, a vector of another dimension, a value of another type. */
        INVALID_VALUE,
        /** A non-frozen list would be overwritten: repeating that write would duplicate its elements. */
        NON_FROZEN_LIST,
        /** The values of one overwrite exceed the limit for a single mutation. */
        TOO_LARGE,
        /** The table, the entity or the combination of rows cannot be overwritten as one mutation. */
        UNSUPPORTED
    }

    private final Reason reason;

    public OverwriteException(Reason reason, String message) {
        this(reason, message, null);
    }

    public OverwriteException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    static OverwriteException unsupported(String problem) {
        return new OverwriteException(Reason.UNSUPPORTED, problem);
    }

    /** {@return why it was refused} */
    public Reason reason() {
        return reason;
    }
}
