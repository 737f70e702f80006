package io.surewrite.unique;

/** A guard with timers of its own. */
public interface CloseableUniqueGuard extends UniqueGuard, AutoCloseable {

    /** Stops the timers: calls under way do not go on when they have to wait. */
    @Override
    void close();
}
