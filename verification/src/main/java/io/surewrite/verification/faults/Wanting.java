package io.surewrite.verification.faults;

import java.util.UUID;

/** A row that wants a value for itself. */
public interface Wanting {

    /**
     * {@return its primary key}
     */
    UUID id();

    /** {@return all of its other columns: the value, a blank, and what tells one write from all others} */
    String content();
}
