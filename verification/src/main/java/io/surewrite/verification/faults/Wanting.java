package io.surewrite.verification.faults;

import java.util.UUID;

/** A row that wants a value for itself. */
public interface Wanting {

    /**
     * {@return its primary key}
     */
    UUID id();

    /**
     * {@return what at most one row has}
     */
    String label();

    /** {@return its name in histories} */
    default String subject() {
        return label() + " " + id();
    }

    /** {@return whether it is as one write has made it} */
    default boolean isWhole() {
        return true;
    }
}
