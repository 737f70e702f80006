package io.surewrite.backlog;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A store in one SQLite file: its write-ahead log is flushed to the disk before anything is confirmed. */
public final class SqliteBacklogStore implements BacklogStore {

    private static final String FILE = "backlog.db";

    private final Path file;
    private final long most;
    private final long mostBytes;
    private final DirectoryLock lock;
    private final SqliteTables tables;
    private final GroupCommit disk;

    // These are the disk thread's.
    private long lastId;
    private BacklogSize next;
    private boolean oldestMayBeGone;

    private volatile BacklogSize size;

    /**
     * Opens the store, and creates it where there is none.
     *
     * @param directory on a local disk; nobody else may write it at the same time
     * @param most how many entries, dead letters included, there may be
     * @param mostBytes how many bytes these may have
     * @throws BacklogLockedException if somebody else writes the directory
     * @throws BacklogException if the disk does not let it work
     */
    public SqliteBacklogStore(Path directory, long most, long mostBytes) {
        this(directory, most, mostBytes, new SQLiteConfig(), LogFlusher.Log::of);
    }

    SqliteBacklogStore(Path directory, long most, long mostBytes, SQLiteConfig config, Logs logs) {
        this.file = directory.resolve(FILE);
        this.most = most;
        this.mostBytes = mostBytes;
        this.lock = DirectoryLock.take(directory);
        Connection connection = null;
        LogFlusher flusher;
        try {
            connection = connect(config);
            this.tables = SqliteTables.open(connection);
            this.lastId = tables.lastId();
            this.next = tables.size();
            this.size = next;
            flusher = new LogFlusher(logs.open(directory.resolve(FILE + "-wal")));
        } catch (SQLException | IOException | RuntimeException failure) {
            closeQuietly(connection);
            lock.close();
            throw translate(failure);
        }
        this.disk = new GroupCommit(connection, flusher, this::translate, this::committed, this::rolledBack);
    }

    /** How the log is reached that SQLite writes. */
    @FunctionalInterface
    interface Logs {

        LogFlusher.Log open(Path file) throws IOException;
    }

    private Connection connect(SQLiteConfig config) throws SQLException {
        config.setLockingMode(SQLiteConfig.LockingMode.EXCLUSIVE);
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        // It flushes what its own consistency needs. The log's new end is flushed by us.
        config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
        // Else the driver asks for one after each insert.
        config.setGetGeneratedKeys(false);
        return config.createConnection("jdbc:sqlite:" + file);
    }

    @Override
    public CompletableFuture<Long> put(Instant decided, byte[] body) {
        return disk.submitLasting(() -> {
            if (next.entries() + next.deadLetters() >= most || next.bytes() + body.length > mostBytes) {
                throw new BacklogFullException(next, most, mostBytes);
            }
            tables.insert(new StoredEntry(++lastId, decided, 0, body));
            next = next.plus(1, 0, body.length).since(next.oldest() == null ? decided : next.oldest());
            return lastId;
        });
    }

    @Override
    public CompletableFuture<List<StoredEntry>> next(long after, int limit) {
        return disk.submit(() -> tables.entries(after, limit));
    }

    @Override
    public CompletableFuture<Void> remove(List<StoredEntry> entries) {
        return disk.submit(() -> {
            for (StoredEntry entry : entries) {
                if (tables.delete(entry)) {
                    next = next.plus(-1, 0, -entry.body().length);
                }
            }
            oldestMayBeGone = true;
            return done();
        });
    }

    @Override
    public CompletableFuture<Void> failed(StoredEntry entry) {
        return disk.submit(() -> {
            tables.countAttempt(entry);
            return done();
        });
    }

    @Override
    public CompletableFuture<Void> bury(StoredDeadLetter letter) {
        return disk.submitLasting(() -> {
            if (tables.delete(letter.entry())) {
                tables.insertDead(letter);
                next = next.plus(-1, 1, 0);
                oldestMayBeGone = true;
            }
            return done();
        });
    }

    @Override
    public CompletableFuture<List<StoredDeadLetter>> deadLetters(long after, int limit) {
        return disk.submit(() -> tables.deadLetters(after, limit));
    }

    @Override
    public CompletableFuture<Integer> revive(List<Long> ids) {
        return disk.submitLasting(() -> {
            int revived = 0;
            for (long id : ids) {
                StoredEntry dead = tables.takeDead(id);
                if (dead != null) {
                    tables.insert(new StoredEntry(dead.id(), dead.decided(), 0, dead.body()));
                    next = next.plus(1, -1, 0);
                    revived++;
                }
            }
            oldestMayBeGone = true;
            return revived;
        });
    }

    @Override
    public CompletableFuture<Integer> discard(List<Long> ids) {
        return disk.submitLasting(() -> {
            int discarded = 0;
            for (long id : ids) {
                StoredEntry dead = tables.takeDead(id);
                if (dead != null) {
                    next = next.plus(0, -1, -dead.body().length);
                    discarded++;
                }
            }
            return discarded;
        });
    }

    @Override
    public BacklogSize size() {
        return size;
    }

    @Override
    public @Nullable BacklogException failure() {
        return disk.failure();
    }

    @Override
    public void close() {
        try {
            disk.close();
        } finally {
            lock.close();
        }
    }

    private void committed() {
        if (oldestMayBeGone) {
            next = next.since(oldest());
            oldestMayBeGone = false;
        }
        size = next;
    }

    private @Nullable Instant oldest() {
        try {
            return tables.oldest();
        } catch (SQLException unreadable) {
            return next.oldest();
        }
    }

    private void rolledBack() {
        next = size;
        try {
            tables.recover();
        } catch (SQLException again) {
            // The next one who wants something hears of it.
        }
    }

    @SuppressWarnings("NullAway") // Void has no other value
    private static Void done() {
        return null;
    }

    private BacklogException translate(Exception failure) {
        if (failure instanceof BacklogException translated) {
            return translated;
        }
        SQLiteErrorCode code = failure instanceof SQLiteException sqlite
                ? SQLiteErrorCode.getErrorCode(sqlite.getErrorCode() & 0xff)
                : SQLiteErrorCode.UNKNOWN_ERROR;
        String mend = switch (code) {
            case SQLITE_FULL -> "The disk is full. Instead, make room on it";
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
                "The file cannot be written. Instead, let this process write the directory, or set surewrite.backlog.directory to another";
            case SQLITE_CORRUPT, SQLITE_NOTADB ->
                "The file is damaged. Instead, move it away, keep it to see what was in it, and start again";
            case SQLITE_IOERR -> "The disk does not answer as it should. Instead, see what the system's log says of it";
            default -> "Instead, see the cause";
        };
        return new BacklogException(
                "The backlog cannot use %s: %s. %s".formatted(file, failure.getMessage(), mend), failure);
    }

    private static void closeQuietly(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException second) {
            // The first failure is the one to tell.
        }
    }
}
