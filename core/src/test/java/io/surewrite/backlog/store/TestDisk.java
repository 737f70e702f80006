package io.surewrite.backlog.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import org.sqlite.SQLiteConfig;

/** A disk that flushes when it is let, and fails when it is told to. */
public final class TestDisk implements GroupCommit.Log {

    /** One for each flush. */
    public final Semaphore flushes = new Semaphore(0);

    /** Whether flushes fail. */
    public volatile boolean broken;

    /** Whether flushes end in an error of the virtual machine. */
    public volatile boolean dying;

    /** A store on this disk, without bounds. */
    public SqliteBacklogStore store(Path directory) {
        return new SqliteBacklogStore(
                directory, Long.MAX_VALUE, Long.MAX_VALUE, false, new SQLiteConfig(), file -> this);
    }

    @Override
    public void force() throws IOException {
        flushes.acquireUninterruptibly();
        if (broken) {
            throw new IOException("no disk");
        }
        if (dying) {
            throw new OutOfMemoryError("no memory");
        }
    }

    @Override
    public void close() {}
}
