package io.surewrite.alledeals.item;

import org.jspecify.annotations.Nullable;
import org.springframework.http.ProblemDetail;

/** What has become of a request to list an item that came while the database was away. */
record ListingProgress(State state, Item item, @Nullable ProblemDetail problem) {

    /** How far a request is. */
    enum State {
        /** On the disk of the process that took it. */
        KEPT,
        /** In the database, and listed within seconds. */
        ARRIVED,
        /** The item is listed. */
        LISTED,
        /** It breaks a rule that takes the database to check; nothing is listed. */
        REFUSED
    }

    /** Whether it is worth looking again. */
    boolean isOnItsWay() {
        return state == State.KEPT || state == State.ARRIVED;
    }
}
