package io.surewrite.backlog;

import io.surewrite.backlog.BacklogFile.Counter;
import io.surewrite.backlog.WriteBacklog.BacklogSize;
import io.surewrite.write.Internal;
import io.surewrite.write.UnknownOutcomeException;
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
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Where the entries are: one SQLite file, a row for each. One thread owns the connection. What is asked of it while it commits is
 * done together in the next transaction, so that many share one wait for the disk; they are answered when the commit has returned.
 *
 * <p>Whatever goes wrong, the thread goes on, and all who asked are told: by a {@link BacklogException} that nothing was done,
 * by an {@link UnknownOutcomeException} that the disk did not say.
 */
@Internal
public final class SqliteBacklogStore implements AutoCloseable {

    private static final int MOST_TOGETHER = 1024;

    private final Path directory;
    private final long maxEntries;
    private final long maxBytes;
    private final Connection connection;
    private final BlockingQueue<Answer<?>> asked = new LinkedTransferQueue<>();
    private final Thread thread = new Thread(this::run, "surewrite-backlog-disk");
    private final Answer<Void> end = new Answer<>(null);
    private boolean closed;

    // These are the thread's.
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private Counter counter;
    private boolean changed;
    private long put;
    private long putBytes;

    /** No entry with a lower id waits: what is dead or gone need not be looked through again. */
    private long lowest = 1;

    private volatile BacklogSize size;
    private volatile @Nullable BacklogException refusal;
    private volatile @Nullable BacklogException failure;

    public SqliteBacklogStore(Path directory, long maxEntries, long maxBytes, boolean acceptLoss) {
        this(directory, maxEntries, maxBytes, acceptLoss, BacklogFile.lasting(), UnaryOperator.identity());
    }

    SqliteBacklogStore(
            Path directory,
            long maxEntries,
            long maxBytes,
            boolean acceptLoss,
            SQLiteConfig config,
            UnaryOperator<Connection> way) {
        this.directory = directory;
        this.maxEntries = maxEntries;
        this.maxBytes = maxBytes;
        try {
            this.connection = way.apply(new BacklogFile(directory, config).open(acceptLoss));
            this.counter = Counter.read(connection, true);
            this.size = readSize();
        } catch (SQLException | IOException | LinkageError failed) {
            throw BacklogFile.translate(directory, failed);
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** Completes once it is durable. */
    public CompletableFuture<Long> put(Instant decided, byte[] body) {
        return write(() -> {
            if (counter.all() + put >= maxEntries || counter.bytes() + putBytes + body.length > maxBytes) {
                throw full(size);
            }
            long id = counter.put() + ++put;
            putBytes += body.length;
            insert(StoredEntry.waiting(id, decided, body));
            return id;
        });
    }

    public CompletableFuture<List<StoredEntry>> next(long after, int limit) {
        return ask(() -> rows("id > ? AND reason IS NULL ORDER BY id LIMIT ?", Math.max(after, lowest - 1), limit));
    }

    public CompletableFuture<Integer> remove(List<Long> ids) {
        return write(() -> takeOut(ids, false));
    }

    public CompletableFuture<Boolean> bury(StoredEntry dead) {
        return write(() -> change(
                dead.id(), false, row -> row.dead(dead.died(), Objects.requireNonNull(dead.reason()), dead.detail())));
    }

    public CompletableFuture<List<StoredEntry>> deadLetters(long after, int limit) {
        return ask(() -> rows("id > ? AND reason IS NOT NULL ORDER BY id LIMIT ?", after, limit));
    }

    public CompletableFuture<Integer> revive(List<Long> ids) {
        return write(() -> {
            int revived = 0;
            for (long id : ids) {
                if (change(
                        id, true, row -> row.lost() > 0 ? row : StoredEntry.waiting(id, row.decided(), row.body()))) {
                    lowest = Math.min(lowest, id);
                    revived++;
                }
            }
            return revived;
        });
    }

    public CompletableFuture<Integer> discard(List<Long> ids) {
        return write(() -> takeOut(ids, true));
    }

    public BacklogSize size() {
        return size;
    }

    /** Why nothing can be kept at the moment, such as a full disk. */
    public @Nullable BacklogException refusal() {
        BacklogSize now = size;
        return now.entries() + now.deadLetters() >= maxEntries || now.bytes() >= maxBytes ? full(now) : refusal;
    }

    private BacklogException full(BacklogSize there) {
        return new BacklogException(
                BacklogException.Reason.FULL,
                "The backlog is full: %d entries and %d dead letters of %d bytes together, of at most %d and %d bytes. Fix: wait until it drains, discard dead letters, or raise surewrite.backlog.max-entries and .max-size"
                        .formatted(there.entries(), there.deadLetters(), there.bytes(), maxEntries, maxBytes));
    }

    /** Why nothing can be kept any more until a restart. */
    public @Nullable BacklogException failure() {
        return failure;
    }

    private <T> CompletableFuture<T> write(Callable<T> work) {
        return ask(() -> {
            BacklogException broken = failure;
            if (broken != null) {
                throw new BacklogException(
                        BacklogException.Reason.UNAVAILABLE,
                        "Nothing is written any more, because of an earlier failure: " + broken.getMessage(),
                        broken);
            }
            return work.call();
        });
    }

    private synchronized <T> CompletableFuture<T> ask(Callable<T> work) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new BacklogException(BacklogException.Reason.UNAVAILABLE, "The backlog is closed"));
        }
        Answer<T> answer = new Answer<>(work);
        asked.add(answer);
        return answer;
    }

    private void run() {
        List<Answer<?>> group =
                new ArrayList<>(MOST_TOGETHER); // grows no more: what was taken out of the queue is in it
        for (boolean last = false; !last; group.clear()) {
            try {
                group.add(asked.take());
                asked.drainTo(group, MOST_TOGETHER - 1);
                last = group.remove(end);
                commit(group);
            } catch (Throwable thrown) { // an interrupt, too: nothing but the end ends the thread
                unknown(group, "The backlog failed between its transactions", thrown);
            }
        }
        end.complete(null);
    }

    private void commit(List<Answer<?>> group) throws SQLException {
        boolean ending = false;
        try {
            execute("BEGIN");
            for (Answer<?> answer : group) {
                answer.run();
            }
            ending = true;
            execute("COMMIT");
        } catch (Throwable thrown) { // whatever it is, a caller waits for it
            rollBack();
            if (ending && BacklogFile.code(thrown) != SQLiteErrorCode.SQLITE_FULL) {
                // No second try: the system may have forgotten what it could not write, and would confirm the rest.
                unknown(group, "The disk did not confirm what the backlog wrote", thrown);
            } else {
                BacklogException failed = translated(thrown);
                group.forEach(answer -> answer.completeExceptionally(failed));
            }
            return;
        }
        if (changed) {
            begin();
            counter = Counter.read(connection, true);
            size = readSize();
            refusal = null; // the disk took something, which a mere look does not show
        }
        group.forEach(answer -> answer.telling.run());
    }

    private BacklogSize readSize() throws SQLException {
        List<StoredEntry> oldest = rows("id >= ? AND reason IS NULL ORDER BY id LIMIT 1", lowest);
        lowest = oldest.isEmpty() ? counter.put() + 1 : oldest.get(0).id();
        Instant since = oldest.isEmpty() ? null : oldest.get(0).decided();
        return new BacklogSize(counter.entries(), counter.dead(), counter.bytes(), since, counter.lost());
    }

    private void rollBack() {
        try {
            execute("ROLLBACK");
        } catch (SQLException | RuntimeException | Error alreadyDone) {
            // By SQLite itself, when the disk is full. If it is not, nothing can begin, which ends in the next try.
        }
        for (PreparedStatement statement : prepared.values()) { // the driver closes the one that met the failure
            try {
                statement.close();
            } catch (SQLException second) {
                // The first failure is the one to report.
            }
        }
        prepared.clear();
        begin();
    }

    private void begin() {
        changed = false;
        put = 0;
        putBytes = 0;
    }

    /** Says that it is unknown what became of them, to all who have no answer, and writes nothing more. */
    private void unknown(List<Answer<?>> group, String what, Throwable thrown) {
        if (!group.isEmpty()) { // else a mere interrupt
            BacklogException broken = new BacklogException(
                    BacklogException.Reason.UNAVAILABLE,
                    "%s: %s. It may be written to the cluster all the same. Nothing more is kept until a restart. Fix: see what the system's log says of the disk, and restart"
                            .formatted(what, thrown),
                    thrown);
            failure = failure == null ? broken : failure;
            RuntimeException unknown = new UnknownOutcomeException(String.valueOf(broken.getMessage()), broken);
            group.forEach(answer -> answer.completeExceptionally(unknown));
        }
    }

    private BacklogException translated(Throwable thrown) {
        BacklogException translated = BacklogFile.translate(directory, thrown);
        if (BacklogFile.isDamage(thrown)) {
            failure = failure == null ? translated : failure;
        } else if (thrown instanceof SQLiteException) {
            refusal = translated; // until something can be written again
        }
        return translated;
    }

    /** Says something else of a row; of one that the disk has changed, that it is damaged. Returns whether it died or lives again. */
    private boolean change(long id, boolean dead, UnaryOperator<StoredEntry> change) throws SQLException {
        for (StoredEntry row : rows("id = ? AND (reason IS NOT NULL) = ?", id, dead ? 1 : 0)) {
            StoredEntry then = row.isWhole() ? change.apply(row) : StoredEntry.damaged(id, row);
            takeOut(List.of(id), dead);
            insert(then);
            return (then.reason() != null) != dead;
        }
        return false;
    }

    private int takeOut(List<Long> ids, boolean dead) throws SQLException {
        int taken = 0;
        PreparedStatement delete = prepared("DELETE FROM entry WHERE id = ? AND (reason IS NOT NULL) = ?");
        for (long id : ids) {
            delete.setLong(1, id);
            delete.setBoolean(2, dead);
            taken += delete.executeUpdate();
        }
        changed |= taken > 0;
        return taken;
    }

    private void insert(StoredEntry row) throws SQLException {
        changed = true;
        row.write(prepared(StoredEntry.INSERT));
    }

    private List<StoredEntry> rows(String condition, long... values) throws SQLException {
        PreparedStatement select = prepared(StoredEntry.SELECT + condition);
        for (int i = 0; i < values.length; i++) {
            select.setLong(i + 1, values[i]);
        }
        List<StoredEntry> found = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                found.add(StoredEntry.read(rows));
            }
        }
        return found;
    }

    private PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    /** The driver's own transactions do not survive that SQLite has rolled one back. */
    private void execute(String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    @Override
    public void close() {
        if (Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("A listener of the backlog may not close it: that waits for the listener");
        }
        synchronized (this) {
            closed = true;
            asked.add(end);
        }
        end.join();
        try {
            connection.close();
        } catch (SQLException failed) {
            throw BacklogFile.translate(directory, failed);
        }
    }

    /** Is not waited for by the thread that answers, as by a listener: it would wait for ever. */
    private final class Answer<T> extends CompletableFuture<T> {

        private final @Nullable Callable<T> work;
        private Runnable telling = () -> {};

        private Answer(@Nullable Callable<T> work) {
            this.work = work;
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new Answer<>(null);
        }

        /** With a {@link BacklogException} it fails alone. */
        private void run() throws Exception {
            if (work != null) {
                try {
                    T value = work.call();
                    telling = () -> complete(value);
                } catch (BacklogException alone) {
                    completeExceptionally(alone); // whatever becomes of the transaction
                }
            }
        }

        @Override
        public T join() {
            requireWaitable();
            return super.join();
        }

        @Override
        public T get() throws InterruptedException, ExecutionException {
            requireWaitable();
            return super.get();
        }

        private void requireWaitable() {
            if (!isDone() && Thread.currentThread().equals(thread)) {
                throw new UnknownOutcomeException(
                        "A listener of the backlog, or what follows one of its futures, waits for the backlog, which waits for it. What was asked for is done when it has returned. Fix: ask on another thread",
                        null);
            }
        }
    }
}
