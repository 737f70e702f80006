package io.surewrite.lease;

import io.surewrite.cql.hold.WriteHold;
import java.util.function.Consumer;

/** A lease that can tell of its loss at once. */
interface WatchedLease extends Lease, WriteHold {

    @Override
    String name();

    @Override
    boolean isHeld();

    /** {@return whether a sure write was begun under it} */
    boolean hasWritten();

    /** Like {@link #onLost}, but on the thread that notices the loss: the action must be short. */
    void whenLost(Consumer<LossReason> action);
}
