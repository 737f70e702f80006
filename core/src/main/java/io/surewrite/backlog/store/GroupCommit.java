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
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two threads, one after the other. The first owns the connection: what is asked of it while it commits is done together in
 * the next transaction. The second brings the log to the disk and then confirms all whose transactions stood in it, so that
 * many of them share one wait, and the next transaction is written while the disk is waited for. The mark follows the log before
 * anything is confirmed.
 */
final class GroupCommit implements AutoCloseable {

    private static final int MOST = 1024;

    private final Connection connection;
    private final Log log;
    private final Mark mark;
    private final Function<Exception, BacklogException> translation;
    private final Supplier<Mark.State> committed;
    private final Runnable rolledBack;
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
            FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            return new Log() {

                @Override
                public void force() throws IOException {
                    channel.force(false);
                }

                @Override
                public void close() throws IOException {
                    channel.close();
                }
            };
        }
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
     * @param translation says what a failure means
     * @param committed called after each transaction, before those who asked for it hear of it; returns what there is
     * @param rolledBack called after each transaction that failed
     */
    GroupCommit(
            Connection connection,
            Log log,
            Mark mark,
            Function<Exception, BacklogException> translation,
            Supplier<Mark.State> committed,
            Runnable rolledBack) {
        this.connection = connection;
        this.log = log;
        this.mark = mark;
        this.translation = translation;
        this.committed = committed;
        this.rolledBack = rolledBack;
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
        Thread thread = new Thread(
                () -> {
                    List<Task<?>> group = new ArrayList<>();
                    try {
                        for (boolean last = false; !last; group.clear()) {
                            group.add(queue.take());
                            queue.drainTo(group, MOST - 1);
                            last = group.remove(end);
                            step.accept(group);
                        }
                    } catch (InterruptedException neverInterrupted) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void commit(List<Task<?>> group) {
        try {
            execute("BEGIN");
            for (Task<?> task : group) {
                task.run();
            }
            execute("COMMIT");
        } catch (Throwable thrown) { // whatever it is, a caller waits to hear of it
            rollBack();
            BacklogException translated = thrown instanceof Exception exception
                    ? translation.apply(exception)
                    : new BacklogException("The backlog failed and kept nothing", thrown);
            group.forEach(task -> task.result.completeExceptionally(translated));
            return;
        }
        lastCommitted = committed.get();
        for (Task<?> task : group) {
            task.committed = lastCommitted;
            if (task.lasting) {
                toFlush.add(task);
            } else {
                task.complete();
            }
        }
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
        } catch (SQLException alreadyDone) {
            // SQLite rolls back by itself when the disk is full.
        }
        rolledBack.run();
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
            failure = new BacklogException(
                    "The disk did not confirm what the backlog wrote: %s. It may be written to the cluster all the same. Nothing more is kept until a restart. Instead, see what the system's log says of the disk"
                            .formatted(failed),
                    failed);
        }
        BacklogException failed = failure;
        for (Task<?> task : group) {
            if (failed == null) {
                task.complete();
            } else {
                task.result.completeExceptionally(
                        new UnknownOutcomeException(String.valueOf(failed.getMessage()), failed));
            }
        }
    }

    /** Does and confirms what was asked for before, then closes the connection. */
    @Override
    public void close() {
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
            throw translation.apply(failed);
        } catch (IOException nothingToLose) {
            // All that was to be confirmed was.
        }
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

    private static final class Task<T> {

        private final Work<T> work;
        private final boolean lasting;
        private final CompletableFuture<T> result = new CompletableFuture<>();
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
