package io.surewrite.backlog.store;

import io.surewrite.backlog.BacklogDamagedException;
import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.BacklogFullException;
import io.surewrite.backlog.BacklogLockedException;
import io.surewrite.backlog.BacklogSize;
import io.surewrite.backlog.BacklogStore;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.backlog.store.BacklogFile.Contents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * A store in one SQLite file: its write-ahead log, and then a mark beside it, are flushed to the disk before anything is
 * confirmed. What a disk has changed or lost is noticed when the store is opened, see {@link BacklogDamagedException}.
 */
public final class SqliteBacklogStore implements BacklogStore {

    private static final Logger log = LoggerFactory.getLogger(SqliteBacklogStore.class);

    /** With less than this, SQLite may not be able to take an entry out. */
    private static final long ROOM = 1 << 20;

    private static final String INSERT = "INSERT INTO entry (id, decided, attempts, body) VALUES (?, ?, ?, ?)";

    private static final String DELETE = "DELETE FROM entry WHERE id = ?";

    private static final String DELETE_AND_MEASURE = DELETE + " RETURNING length(body)";

    private final Path directory;
    private final long most;
    private final long mostBytes;
    private final DirectoryLock lock;
    private final Connection connection;
    private final GroupCommit disk;

    // These are the disk thread's.
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private Contents next;
    private boolean oldestMayBeGone;

    private volatile Contents contents;
    private volatile @Nullable BacklogException refusal;

    /**
     * Opens the store, and creates it where there is none.
     *
     * @param directory on a local disk; no other process may write it at the same time
     * @param most how many entries, dead letters included, there may be
     * @param mostBytes how many bytes these may have
     * @param acceptLoss whether to go on with what is there if something is damaged or missing
     * @throws BacklogLockedException if another process writes the directory
     * @throws BacklogDamagedException if something is damaged or missing, and that is not accepted
     * @throws BacklogException if the disk does not let it work
     */
    public SqliteBacklogStore(Path directory, long most, long mostBytes, boolean acceptLoss) {
        this(directory, most, mostBytes, acceptLoss, new SQLiteConfig(), GroupCommit.Log::of);
    }

    /** How the disk is reached. */
    @FunctionalInterface
    interface Disk {

        /** The log that SQLite writes. */
        GroupCommit.Log log(Path file) throws IOException;

        /** The way to the database, of which this is the end. */
        default Connection database(Connection opened) {
            return opened;
        }
    }

    SqliteBacklogStore(Path directory, long most, long mostBytes, boolean acceptLoss, SQLiteConfig config, Disk way) {
        this.directory = directory;
        this.most = most;
        this.mostBytes = mostBytes;
        this.lock = DirectoryLock.take(directory);
        NativeLibraries.sweep();
        Connection opened = null;
        try {
            BacklogFile.Opened file = BacklogFile.open(directory, acceptLoss, config);
            opened = file.connection();
            this.connection = way.database(opened);
            this.next = file.contents();
            this.contents = next;
            if (Files.getFileStore(directory).getUsableSpace() < ROOM) {
                this.refusal = BacklogFile.translate(
                        directory, new SQLiteException("the disk is nearly full", SQLiteErrorCode.SQLITE_FULL));
                log.warn("Kept writes are replayed, and new ones may be refused: {}", refusal.getMessage());
            }
            this.disk = new GroupCommit(
                    connection,
                    way.log(directory.resolve(BacklogFile.FILE + "-wal")),
                    Mark.open(directory),
                    new Changes());
        } catch (SQLException | IOException | RuntimeException | LinkageError failure) {
            closeQuietly(opened);
            lock.close();
            throw BacklogFile.translate(directory, failure);
        }
    }

    @Override
    public CompletableFuture<Long> put(Key key, Instant decided, byte[] body) {
        return disk.submitLasting(() -> {
            BacklogSize size = next.size();
            if (size.entries() + size.deadLetters() >= most || size.bytes() + body.length > mostBytes) {
                throw new BacklogFullException(size, most, mostBytes);
            }
            long id = next.last() + 1;
            execute(INSERT, id, decided.toEpochMilli(), 0, body);
            next = new Contents(id, next.removed(), next.removedIds(), size);
            count(1, 0, body.length, 0, size.oldest() == null ? decided : size.oldest());
            return id;
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
    public CompletableFuture<Void> remove(List<Long> ids) {
        return disk.submit(() -> {
            List<Long> removed = new ArrayList<>();
            for (long id : ids) {
                try (ResultSet rows = query(DELETE_AND_MEASURE, id)) {
                    if (rows.next()) {
                        count(-1, 0, -rows.getLong(1), 0, next.size().oldest());
                        removed.add(id);
                    }
                }
            }
            countRemoved(removed);
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
                        INSERT INTO dead_letter (id, decided, attempts, body, died, reason, detail, lost)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                        entry.id(),
                        entry.decided().toEpochMilli(),
                        entry.attempts(),
                        entry.body(),
                        dead.died().toEpochMilli(),
                        dead.reason().name(),
                        dead.detail(),
                        dead.reason().isLoss() ? 1 : 0);
                count(-1, 1, 0, dead.reason().isLoss() ? 1 : 0, next.size().oldest());
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
            List<Entry> revived = takeDead(ids, true);
            for (Entry entry : revived) {
                execute(INSERT, entry.id(), entry.decided().toEpochMilli(), 0, entry.body());
                count(1, -1, 0, 0, next.size().oldest());
            }
            oldestMayBeGone = true;
            return revived.size();
        });
    }

    @Override
    public CompletableFuture<Integer> discard(List<Long> ids) {
        return disk.submitLasting(() -> {
            List<Entry> discarded = takeDead(ids, false);
            for (Entry entry : discarded) {
                count(0, -1, -entry.body().length, 0, next.size().oldest());
            }
            countRemoved(discarded.stream().map(Entry::id).toList());
            return discarded.size();
        });
    }

    /** Takes dead letters away: those that are there. What was lost cannot be replayed. */
    private List<Entry> takeDead(List<Long> ids, boolean toReplay) throws SQLException {
        List<Entry> taken = new ArrayList<>();
        for (long id : ids) {
            List<DeadEntry> found = readDead(id - 1, 1);
            if (found.isEmpty()
                    || found.get(0).entry().id() != id
                    || (toReplay && found.get(0).reason().isLoss())) {
                continue;
            }
            try (ResultSet rows = query("SELECT lost FROM dead_letter WHERE id = ?", id)) {
                count(0, 0, 0, rows.next() ? -rows.getLong(1) : 0, next.size().oldest());
            }
            execute("DELETE FROM dead_letter WHERE id = ?", id);
            taken.add(found.get(0).entry());
        }
        return taken;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public BacklogSize size() {
        return contents.size();
    }

    @Override
    public @Nullable BacklogException refusal() {
        BacklogSize size = size();
        return size.entries() + size.deadLetters() >= most || size.bytes() >= mostBytes
                ? new BacklogFullException(size, most, mostBytes)
                : refusal;
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

    private void count(long entries, long deadLetters, long bytes, long lost, @Nullable Instant oldest) {
        BacklogSize size = next.size();
        BacklogSize then = new BacklogSize(
                size.entries() + entries,
                size.deadLetters() + deadLetters,
                size.bytes() + bytes,
                oldest,
                size.lost() + lost);
        next = new Contents(next.last(), next.removed(), next.removedIds(), then);
    }

    /** So that a restart can tell what was taken out from what is missing. */
    private void countRemoved(List<Long> removed) throws SQLException {
        if (!removed.isEmpty()) {
            long ids = removed.stream().mapToLong(Long::longValue).sum();
            next = new Contents(next.last(), next.removed() + removed.size(), next.removedIds() + ids, next.size());
            execute(
                    "UPDATE counter SET last = ?, removed = ?, removed_ids = ?",
                    next.last(),
                    next.removed(),
                    next.removedIds());
        }
    }

    private @Nullable Instant oldest() throws SQLException {
        try (ResultSet rows = query("SELECT decided FROM entry ORDER BY id LIMIT 1")) {
            return rows.next() ? Instant.ofEpochMilli(rows.getLong(1)) : null;
        }
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

    /** What was changed since the last transaction. */
    private final class Changes implements GroupCommit.Changes {

        @Override
        public BacklogException translate(Exception failure) {
            BacklogException translated = BacklogFile.translate(directory, failure);
            if (BacklogFile.isDamage(failure)) {
                disk.fail(translated);
            } else if (failure instanceof SQLiteException) {
                refusal = translated; // until something can be written again
            }
            return translated;
        }

        @Override
        public Mark.State committed() {
            if (oldestMayBeGone) {
                try {
                    Instant oldest = oldest();
                    if (oldest == null && next.size().entries() > 0) {
                        disk.fail(new BacklogDamagedException(
                                "%d of the kept writes are not in the database any more. Nothing more is kept until a restart, which says what is missing"
                                        .formatted(next.size().entries())));
                    }
                    count(0, 0, 0, 0, oldest);
                } catch (SQLException unreadable) {
                    forgetPrepared(); // the size stays what it was
                }
                oldestMayBeGone = false;
            }
            if (!contents.equals(next)) {
                refusal = null; // the disk took something, which a mere look does not show
            }
            contents = next;
            return contents.marked();
        }

        @Override
        public void rolledBack() {
            next = contents;
            forgetPrepared();
        }

        @Override
        public boolean areThere() throws SQLException {
            forgetPrepared();
            List<Long> there = new ArrayList<>();
            try (ResultSet rows = query("""
                    SELECT max(last, (SELECT ifnull(max(id), 0) FROM entry), (SELECT ifnull(max(id), 0) FROM dead_letter)),
                        removed, removed_ids, (SELECT count(*) FROM entry), (SELECT count(*) FROM dead_letter)
                    FROM counter
                    """)) {
                for (int i = 1; i <= 5 && (i > 1 || rows.next()); i++) {
                    there.add(rows.getLong(i));
                }
            }
            if (there.equals(counts(contents))) {
                return false;
            }
            if (!there.equals(counts(next))) {
                throw new SQLException("The database has neither what there was nor what was written: " + there);
            }
            return true;
        }

        private static List<Long> counts(Contents of) {
            return List.of(
                    of.last(),
                    of.removed(),
                    of.removedIds(),
                    of.size().entries(),
                    of.size().deadLetters());
        }
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
