package io.surewrite.backlog.store;

import io.surewrite.backlog.BacklogException;
import io.surewrite.cql.UnknownOutcomeException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Two threads, one after the other. The first owns the connection: what is asked of it while it commits is done together in
 * the next transaction. The second brings the log to the disk and then confirms all whose transactions stood in it, so that
 * many of them share one wait, and the next transaction is written while the disk is waited for. The mark follows the log before
 * anything is confirmed.
 *
 * <p>Whatever goes wrong, the threads go on, and all who asked hear of it: that nothing was done, or that it is unknown.
 */
final class GroupCommit implements AutoCloseable {

    private static final int MOST = 1024;

    private final Connection connection;
    private final Log log;
    private final Mark mark;
    private final Changes changes;
    private final BlockingQueue<Task<?>> toCommit = new LinkedTransferQueue<>();
    private final BlockingQueue<Task<?>> toFlush = new LinkedTransferQueue<>();
    private final Task<?> end = new Task<>(() -> "the end", false);
    private volatile Mark.@Nullable State lastCommitted;
    private final Thread committer;
    private final Thread flusher;
    private volatile @Nullable BacklogException failure;
    private boolean closed;

    /** The log that the database appends to. */
    interface Log extends AutoCloseable {

        /** Returns when all that was appended before is on the disk. */
        void force() throws IOException;

        @Override
        void close() throws IOException;

        /** A file that is there. */
        static Log of(Path file) throws IOException {
            return new OfFile(FileChannel.open(file, StandardOpenOption.WRITE));
        }
    }

    private record OfFile(FileChannel channel) implements Log {

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** What the transactions have changed. */
    interface Changes {

        /** What a failure means. */
        BacklogException translate(Exception failure);

        /** Called after each transaction, before those who asked for it hear of it; returns what there is. */
        Mark.State committed();

        /** Called after each transaction that changed nothing. */
        void rolledBack();

        /**
         * Whether what the last transaction has changed is in the database, where its end failed.
         *
         * @throws SQLException if that cannot be seen
         */
        boolean areThere() throws SQLException;
    }

    /** A part of a transaction. */
    @FunctionalInterface
    interface Work<T> {

        /**
         * Does it.
         *
         * @throws BacklogException to fail alone
         * @throws SQLException to fail with the whole transaction
         */
        T run() throws SQLException;
    }

    /**
     * Starts the threads.
     *
     * @param connection used by nothing else from now on; closed at the end
     * @param log what was committed is in; closed at the end
     * @param mark gets on the disk after the log what the log then has; closed at the end
     * @param changes hears of the transactions
     */
    GroupCommit(Connection connection, Log log, Mark mark, Changes changes) {
        this.connection = connection;
        this.log = log;
        this.mark = mark;
        this.changes = changes;
        this.committer = start("surewrite-backlog-disk", toCommit, this::commit);
        this.flusher = start("surewrite-backlog-flush", toFlush, this::flush);
    }

    /** Does what may be lost with the machine: its future completes when it is committed. */
    <T> CompletableFuture<T> submit(Work<T> work) {
        return submit(new Task<>(work, false));
    }

    /** Does what must last: its future completes when it is on the disk. */
    <T> CompletableFuture<T> submitLasting(Work<T> work) {
        BacklogException broken = failure;
        return broken == null
                ? submit(new Task<>(work, true))
                : CompletableFuture.failedFuture(new BacklogException(
                        "Nothing is written any more, because of an earlier failure: " + broken.getMessage(), broken));
    }

    /** Why nothing lasts any more, or null while it does. */
    @Nullable
    BacklogException failure() {
        return failure;
    }

    /** Nothing more is to be kept, for what is there is not what was written. */
    void fail(BacklogException damage) {
        if (failure == null) {
            failure = damage;
        }
    }

    private <T> CompletableFuture<T> submit(Task<T> task) {
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(new BacklogException("The backlog is closed", null));
            }
            toCommit.add(task);
        }
        return task.result;
    }

    private Thread start(String name, BlockingQueue<Task<?>> queue, Consumer<List<Task<?>>> step) {
        Thread thread = new Thread(() -> run(queue, step), name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void run(BlockingQueue<Task<?>> queue, Consumer<List<Task<?>>> step) {
        List<Task<?>> group = new ArrayList<>(MOST); // grows no more: what was taken out of the queue is in it
        for (boolean last = false; !last; group.clear()) {
            try {
                group.add(queue.take());
                queue.drainTo(group, MOST - 1);
                last = group.remove(end);
                step.accept(group);
            } catch (Throwable thrown) { // an interrupt, too: nothing but the end ends the thread
                if (!group.isEmpty()) {
                    abandon(group, thrown);
                }
            }
        }
    }

    /** Says that it is unknown what became of them, to all who have not heard. */
    private void abandon(List<Task<?>> group, Throwable thrown) {
        BacklogException broken = new BacklogException(
                "The backlog failed between its transactions: %s. What was kept is written to the cluster all the same. Nothing more is kept until a restart. Instead, see the cause"
                        .formatted(thrown),
                thrown);
        fail(broken);
        fail(group, new UnknownOutcomeException(String.valueOf(broken.getMessage()), thrown));
    }

    private static void fail(List<Task<?>> group, RuntimeException failure) {
        group.forEach(task -> task.result.completeExceptionally(failure));
    }

    private void commit(List<Task<?>> group) {
        try {
            execute("BEGIN");
            for (Task<?> task : group) {
                task.run();
            }
        } catch (Throwable thrown) { // whatever it is, a caller waits to hear of it
            rollBack();
            fail(group, translated(thrown));
            return;
        }
        RuntimeException failed = end();
        if (failed != null) {
            fail(group, failed);
            return;
        }
        lastCommitted = changes.committed();
        for (Task<?> task : group) {
            task.committed = lastCommitted;
            if (task.lasting) {
                toFlush.add(task);
            } else {
                task.complete();
            }
        }
    }

    /** Ends the transaction. Returns null if it took effect, and else what its callers hear. */
    private @Nullable RuntimeException end() {
        try {
            execute("COMMIT");
            return null;
        } catch (Throwable thrown) {
            BacklogException failed = translated(thrown);
            if (BacklogFile.isForWantOfRoom(thrown)) { // the end of the transaction had none
                rollBack();
                return failed;
            }
            try {
                if (tookEffect()) {
                    return null;
                }
            } catch (Throwable unseen) {
                fail(new BacklogException(
                        "It cannot be seen whether the backlog kept what it wrote: %s. Nothing more is kept until a restart. Instead, see the cause"
                                .formatted(thrown),
                        thrown));
                return unknown(failed);
            }
            rolledBack();
            // SQLite may have failed after the end came into the log, out of which a crash would bring it back.
            return thrown instanceof SQLException ? unknown(failed) : failed;
        }
    }

    private boolean tookEffect() throws SQLException {
        try {
            execute("ROLLBACK");
        } catch (SQLException ended) {
            // One way or the other.
        }
        execute("BEGIN"); // fails unless it has ended
        try {
            return changes.areThere();
        } finally {
            execute("ROLLBACK");
        }
    }

    private static UnknownOutcomeException unknown(BacklogException failed) {
        return new UnknownOutcomeException(
                "The disk did not say whether it took what the backlog wrote, which may be written to the cluster after a restart: "
                        + failed.getMessage(),
                failed);
    }

    private BacklogException translated(Throwable thrown) {
        try {
            if (thrown instanceof Exception exception) {
                return changes.translate(exception);
            }
        } catch (RuntimeException | Error untranslated) {
            thrown.addSuppressed(untranslated);
        }
        return new BacklogException("The backlog failed: " + thrown, thrown);
    }

    /** The driver's own transactions do not survive that SQLite has rolled one back. */
    private void execute(String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    private void rollBack() {
        try {
            execute("ROLLBACK");
        } catch (SQLException | RuntimeException | Error alreadyDone) {
            // By SQLite itself, when the disk is full. If it is not, nothing can begin, which ends in the next try.
        }
        rolledBack();
    }

    private void rolledBack() {
        try {
            changes.rolledBack();
        } catch (RuntimeException | Error thrown) {
            fail(new BacklogException(
                    "The backlog failed: %s. Nothing more is kept until a restart. Instead, see the cause"
                            .formatted(thrown),
                    thrown));
        }
    }

    /**
     * Confirms what is on the disk. After a failed flush there is no second try: the system may have forgotten what it could
     * not write, and would confirm the rest.
     */
    private void flush(List<Task<?>> group) {
        try {
            if (failure == null && !group.isEmpty()) {
                log.force();
                mark.write(Objects.requireNonNull(group.get(group.size() - 1).committed));
            }
        } catch (IOException | RuntimeException | Error failed) { // whatever it is, callers wait to hear of it
            fail(new BacklogException(
                    "The disk did not confirm what the backlog wrote: %s. It may be written to the cluster all the same. Nothing more is kept until a restart. Instead, see what the system's log says of the disk"
                            .formatted(failed),
                    failed));
        }
        BacklogException failed = failure;
        if (failed != null) {
            fail(group, new UnknownOutcomeException(String.valueOf(failed.getMessage()), failed));
        } else {
            group.forEach(Task::complete);
        }
    }

    /** Does and confirms what was asked for before, then closes the connection. */
    @Override
    public void close() {
        if (isOwn(Thread.currentThread())) {
            throw new IllegalStateException("A listener of the backlog may not close it: that waits for the listener");
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            toCommit.add(end);
        }
        joinUninterruptibly(committer);
        toFlush.add(end);
        joinUninterruptibly(flusher);
        Mark.State there = lastCommitted;
        try (mark;
                log) {
            connection.close(); // brings all to the disk
            if (failure == null && there != null) {
                mark.write(there);
            }
        } catch (SQLException failed) {
            throw changes.translate(failed);
        } catch (IOException nothingToLose) {
            // All that was to be confirmed was.
        }
    }

    private boolean isOwn(Thread thread) {
        return thread.equals(committer) || thread.equals(flusher);
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Is not waited for by the threads that complete it, as by a listener: they would wait for ever. */
    private final class Answer<T> extends CompletableFuture<T> {

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new Answer<>();
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
            if (!isDone() && isOwn(Thread.currentThread())) {
                throw new UnknownOutcomeException(
                        "A listener of the backlog, or what follows one of its futures, waits for the backlog, which waits for it. What was asked for is done when it has returned. Instead, ask on another thread",
                        null);
            }
        }
    }

    private final class Task<T> {

        private final Work<T> work;
        private final boolean lasting;
        private final CompletableFuture<T> result = new Answer<>();
        private @Nullable T value;
        private @Nullable BacklogException refused;

        /** What there was after its transaction. */
        private Mark.@Nullable State committed;

        private Task(Work<T> work, boolean lasting) {
            this.work = work;
            this.lasting = lasting;
        }

        private void run() throws SQLException {
            try {
                value = work.run();
            } catch (BacklogException alone) {
                refused = alone;
            }
        }

        @SuppressWarnings("NullAway") // the value is what the work returned
        private void complete() {
            if (refused == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(refused);
            }
        }
    }
}
