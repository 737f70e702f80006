package io.surewrite.backlog.store;

import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.BacklogFullException;
import io.surewrite.backlog.BacklogLockedException;
import io.surewrite.backlog.BacklogSize;
import io.surewrite.backlog.BacklogStore;
import io.surewrite.backlog.DeadLetter;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A store in one SQLite file: its write-ahead log is flushed to the disk before anything is confirmed. */
public final class SqliteBacklogStore implements BacklogStore {

    private static final String FILE = "backlog.db";

    private static final int VERSION = 1;

    private static final List<String> DDL = List.of("BEGIN", """
            CREATE TABLE entry (
                id INTEGER PRIMARY KEY, decided INTEGER NOT NULL, attempts INTEGER NOT NULL, body BLOB NOT NULL)
            """, """
            CREATE TABLE dead_letter (
                id INTEGER PRIMARY KEY, decided INTEGER NOT NULL, attempts INTEGER NOT NULL, body BLOB NOT NULL,
                died INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL)
            """, "PRAGMA user_version = " + VERSION, "COMMIT");

    private static final String INSERT = "INSERT INTO entry (id, decided, attempts, body) VALUES (?, ?, ?, ?)";

    private static final String DELETE = "DELETE FROM entry WHERE id = ?";

    private final Path file;
    private final long most;
    private final long mostBytes;
    private final DirectoryLock lock;
    private final Connection connection;
    private final GroupCommit disk;

    // These are the disk thread's.
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private long lastId;
    private BacklogSize next;
    private boolean oldestMayBeGone;

    private volatile BacklogSize size;

    /**
     * Opens the store, and creates it where there is none.
     *
     * @param directory on a local disk; no other process may write it at the same time
     * @param most how many entries, dead letters included, there may be
     * @param mostBytes how many bytes these may have
     * @throws BacklogLockedException if another process writes the directory
     * @throws BacklogException if the disk does not let it work
     */
    public SqliteBacklogStore(Path directory, long most, long mostBytes) {
        this(directory, most, mostBytes, new SQLiteConfig(), GroupCommit.Log::of);
    }

    /** How the log is reached that SQLite writes. */
    @FunctionalInterface
    interface Logs {

        GroupCommit.Log open(Path file) throws IOException;
    }

    SqliteBacklogStore(Path directory, long most, long mostBytes, SQLiteConfig config, Logs logs) {
        this.file = directory.resolve(FILE);
        this.most = most;
        this.mostBytes = mostBytes;
        this.lock = DirectoryLock.take(directory);
        Connection opened = null;
        try {
            opened = connect(config);
            this.connection = opened;
            createTables();
            this.lastId = number(
                    "SELECT max((SELECT coalesce(max(id), 0) FROM entry), (SELECT coalesce(max(id), 0) FROM dead_letter))");
            this.next = new BacklogSize(
                    number("SELECT count(*) FROM entry"),
                    number("SELECT count(*) FROM dead_letter"),
                    number("SELECT (SELECT coalesce(sum(length(body)), 0) FROM entry)"
                            + " + (SELECT coalesce(sum(length(body)), 0) FROM dead_letter)"),
                    oldest());
            this.size = next;
            this.disk = new GroupCommit(
                    opened,
                    logs.open(directory.resolve(FILE + "-wal")),
                    this::translate,
                    this::committed,
                    this::rolledBack);
        } catch (SQLException | IOException | RuntimeException failure) {
            closeQuietly(opened);
            lock.close();
            throw translate(failure);
        }
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

    private void createTables() throws SQLException {
        // Else the driver tries to begin a transaction before each statement, also within one that was begun by hand.
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("COMMIT");
            long version = number("PRAGMA user_version");
            if (version > VERSION) {
                throw new BacklogException(
                        "The backlog's file was written by a newer version of Surewrite. Instead, let that version drain it",
                        null);
            }
            if (version == 0) {
                for (String ddl : DDL) {
                    statement.execute(ddl);
                }
            }
        }
    }

    private long number(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public CompletableFuture<Long> put(Instant decided, byte[] body) {
        return disk.submitLasting(() -> {
            if (next.entries() + next.deadLetters() >= most || next.bytes() + body.length > mostBytes) {
                throw new BacklogFullException(next, most, mostBytes);
            }
            execute(INSERT, ++lastId, decided.toEpochMilli(), 0, body);
            count(1, 0, body.length, next.oldest() == null ? decided : next.oldest());
            return lastId;
        });
    }

    @Override
    public CompletableFuture<List<Entry>> next(long after, int limit) {
        return disk.submit(() -> {
            List<Entry> entries = new ArrayList<>();
            try (ResultSet rows = query(
                    "SELECT id, decided, attempts, body FROM entry WHERE id > ? ORDER BY id LIMIT ?", after, limit)) {
                while (rows.next()) {
                    entries.add(entry(rows));
                }
            }
            return entries;
        });
    }

    @Override
    public CompletableFuture<Void> remove(List<Entry> entries) {
        return disk.submit(() -> {
            for (Entry entry : entries) {
                if (execute(DELETE, entry.id()) == 1) {
                    count(-1, 0, -entry.body().length, next.oldest());
                }
            }
            oldestMayBeGone = true;
            return done();
        });
    }

    @Override
    public CompletableFuture<Void> failed(Entry entry) {
        return disk.submit(() -> {
            execute("UPDATE entry SET attempts = attempts + 1 WHERE id = ?", entry.id());
            return done();
        });
    }

    @Override
    public CompletableFuture<Void> bury(DeadEntry dead) {
        Entry entry = dead.entry();
        return disk.submitLasting(() -> {
            if (execute(DELETE, entry.id()) == 1) {
                execute(
                        """
                        INSERT INTO dead_letter (id, decided, attempts, body, died, reason, detail)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        """,
                        entry.id(),
                        entry.decided().toEpochMilli(),
                        entry.attempts(),
                        entry.body(),
                        dead.died().toEpochMilli(),
                        dead.reason().name(),
                        dead.detail());
                count(-1, 1, 0, next.oldest());
                oldestMayBeGone = true;
            }
            return done();
        });
    }

    @Override
    public CompletableFuture<List<DeadEntry>> deadLetters(long after, int limit) {
        return disk.submit(() -> readDead(after, limit));
    }

    private List<DeadEntry> readDead(long after, int limit) throws SQLException {
        List<DeadEntry> dead = new ArrayList<>();
        try (ResultSet rows = query("""
                SELECT id, decided, attempts, body, died, reason, detail
                FROM dead_letter WHERE id > ? ORDER BY id LIMIT ?
                """, after, limit)) {
            while (rows.next()) {
                dead.add(new DeadEntry(
                        entry(rows),
                        Instant.ofEpochMilli(rows.getLong(5)),
                        DeadLetter.Reason.valueOf(rows.getString(6)),
                        rows.getString(7)));
            }
        }
        return dead;
    }

    @Override
    public CompletableFuture<Integer> revive(List<Long> ids) {
        return disk.submitLasting(() -> {
            List<Entry> revived = takeDead(ids);
            for (Entry entry : revived) {
                execute(INSERT, entry.id(), entry.decided().toEpochMilli(), 0, entry.body());
                count(1, -1, 0, next.oldest());
            }
            oldestMayBeGone = true;
            return revived.size();
        });
    }

    @Override
    public CompletableFuture<Integer> discard(List<Long> ids) {
        return disk.submitLasting(() -> {
            List<Entry> discarded = takeDead(ids);
            for (Entry entry : discarded) {
                count(0, -1, -entry.body().length, next.oldest());
            }
            return discarded.size();
        });
    }

    /** Takes dead letters away: those that are there. */
    private List<Entry> takeDead(List<Long> ids) throws SQLException {
        List<Entry> taken = new ArrayList<>();
        for (long id : ids) {
            List<DeadEntry> found = readDead(id - 1, 1);
            if (execute("DELETE FROM dead_letter WHERE id = ?", id) == 1) {
                taken.add(found.get(0).entry());
            }
        }
        return taken;
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

    private void count(long entries, long deadLetters, long bytes, @Nullable Instant oldest) {
        next = new BacklogSize(
                next.entries() + entries, next.deadLetters() + deadLetters, next.bytes() + bytes, oldest);
    }

    private void committed() {
        if (oldestMayBeGone) {
            try {
                count(0, 0, 0, oldest());
            } catch (SQLException unreadable) {
                forgetPrepared(); // the size stays what it was
            }
            oldestMayBeGone = false;
        }
        size = next;
    }

    private @Nullable Instant oldest() throws SQLException {
        try (ResultSet rows = query("SELECT decided FROM entry ORDER BY id LIMIT 1")) {
            return rows.next() ? Instant.ofEpochMilli(rows.getLong(1)) : null;
        }
    }

    private void rolledBack() {
        next = size;
        forgetPrepared();
    }

    /** Goes on after a failure: the driver closes the statement that met it. */
    private void forgetPrepared() {
        prepared.values().forEach(SqliteBacklogStore::closeQuietly);
        prepared.clear();
    }

    private int execute(String sql, Object... values) throws SQLException {
        return bound(sql, values).executeUpdate();
    }

    private ResultSet query(String sql, Object... values) throws SQLException {
        return bound(sql, values).executeQuery();
    }

    private PreparedStatement bound(String sql, Object... values) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private static Entry entry(ResultSet rows) throws SQLException {
        return new Entry(rows.getLong(1), Instant.ofEpochMilli(rows.getLong(2)), rows.getInt(3), rows.getBytes(4));
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
        String fix = switch (code) {
            case SQLITE_FULL -> "The disk is full. Instead, make room on it";
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
                "The file cannot be written. Instead, let this process write the directory, or set surewrite.backlog.directory to another";
            case SQLITE_CORRUPT, SQLITE_NOTADB ->
                "The file is damaged. Instead, move it away, keep it to see what was in it, and start again";
            case SQLITE_IOERR -> "The disk does not answer as it should. Instead, see what the system's log says of it";
            default -> "Instead, see the cause";
        };
        return new BacklogException(
                "The backlog cannot use %s: %s. %s".formatted(file, failure.getMessage(), fix), failure);
    }

    private static void closeQuietly(@Nullable AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception second) {
            // The first failure is the one to report.
        }
    }
}
