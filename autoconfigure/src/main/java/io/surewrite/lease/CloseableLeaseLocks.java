package io.surewrite.lease;

/** {@link LeaseLocks} with an end. */
public interface CloseableLeaseLocks extends LeaseLocks, AutoCloseable {

    @Override
    CloseableLeaseLocks reentrant();

    /** Sends everybody away who waits, releases what is held, waiting a few seconds for it, and ends the timers. */
    @Override
    void close();
}
