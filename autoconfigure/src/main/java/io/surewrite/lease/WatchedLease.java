package io.surewrite.lease;

import java.util.function.Consumer;

/** A lease that can tell of its loss at once. */
interface WatchedLease extends Lease {

    /** Like {@link #onLost}, but on the thread that notices the loss: the action must be short. */
    void whenLost(Consumer<LossReason> action);
}
