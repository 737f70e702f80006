package io.surewrite.backlog;

/** A {@link WriteBacklog} whose maker closes it. What waits then is there when it is opened again. */
public interface CloseableWriteBacklog extends WriteBacklog, AutoCloseable {

    /** Stops replaying, waits a little for what is under way, and lets go of the store. */
    @Override
    void close();
}
