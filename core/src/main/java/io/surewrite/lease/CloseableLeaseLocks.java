package io.surewrite.lease;

import io.surewrite.lease.Lease.LossReason;
import io.surewrite.lease.LeaseLocks.OnLoss;

/** {@link LeaseLocks} with an end. */
public interface CloseableLeaseLocks extends LeaseLocks, AutoCloseable {

    /**
     * Sends all callers away that wait, frees what is held, waiting a few seconds for it, and ends the timers. Holders whose
     * work still runs hear of the loss, for {@link LossReason#CLOSED}; work under {@link OnLoss#INTERRUPT} is interrupted.
     */
    @Override
    void close();
}
