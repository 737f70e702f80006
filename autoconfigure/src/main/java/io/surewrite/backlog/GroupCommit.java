package io.surewrite.backlog;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One thread that owns a connection. What is asked of it while it commits is done together in the next transaction. What
 * must last is confirmed by the {@link LogFlusher}, so that the next transaction is written while the disk is waited for.
 */
final class GroupCommit implements AutoCloseable {

    private static final int MOST = 1024;

    private final Connection connection;
    private final Function<Exception, BacklogException> translation;
    private final Runnable committed;
    private final Runnable rolledBack;
    private final LogFlusher flusher;
    private final BlockingQueue<Task<?>> queue = new LinkedTransferQueue<>();
    private final Thread thread;
    private boolean closed;

    /**
     * Starts the thread.
     *
     * @param connection used by nobody else from now on; closed at the end
     * @param flusher brings to the disk what was committed; closed at the end
     * @param translation says what a failure means
     * @param committed called by the thread after each transaction, before those who asked for it hear of it
     * @param rolledBack called by the thread after each transaction that failed
     */
    GroupCommit(
            Connection connection,
            LogFlusher flusher,
            Function<Exception, BacklogException> translation,
            Runnable committed,
            Runnable rolledBack) {
        this.connection = connection;
        this.flusher = flusher;
        this.translation = translation;
        this.committed = committed;
        this.rolledBack = rolledBack;
        this.thread = new Thread(this::run, "surewrite-backlog-disk");
        thread.setDaemon(true);
        thread.start();
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

    /** Does what may be lost with the machine: it is answered when it is committed. */
    <T> CompletableFuture<T> submit(Work<T> work) {
        return submit(new Task<>(work, false));
    }

    /** Does what must last: it is answered when it is on the disk. */
    <T> CompletableFuture<T> submitLasting(Work<T> work) {
        BacklogException broken = failure();
        return broken == null
                ? submit(new Task<>(work, true))
                : CompletableFuture.failedFuture(new BacklogException(
                        "Nothing is written any more, because of an earlier failure: " + broken.getMessage(), broken));
    }

    /** Tells why nothing lasts any more. */
    @Nullable
    BacklogException failure() {
        return flusher.failure();
    }

    private <T> CompletableFuture<T> submit(Task<T> task) {
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(new BacklogException("The backlog is closed", null));
            }
            queue.add(task);
        }
        return task.result;
    }

    private void run() {
        List<Task<?>> group = new ArrayList<>();
        try {
            while (true) {
                group.add(queue.take());
                queue.drainTo(group, MOST - 1);
                boolean last = group.removeIf(task -> task.work == null);
                commit(group);
                group.clear();
                if (last) {
                    return;
                }
            }
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
    }

    private void commit(List<Task<?>> group) {
        try {
            execute("BEGIN");
            for (Task<?> task : group) {
                task.run();
            }
            execute("COMMIT");
        } catch (Throwable failure) { // whatever it is, somebody waits to hear of it
            rollBack();
            BacklogException translated = failure instanceof Exception exception
                    ? translation.apply(exception)
                    : new BacklogException("The backlog failed and kept nothing", failure);
            group.forEach(task -> task.fail(translated));
            return;
        }
        committed.run();
        for (Task<?> task : group) {
            if (task.lasting) {
                flusher.confirm(task);
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

    /** Does what was asked for before, then closes the connection. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            queue.add(new Task<>(null, false));
        }
        Threads.joinUninterruptibly(thread);
        flusher.close();
        try {
            connection.close();
        } catch (SQLException failure) {
            throw translation.apply(failure);
        }
    }

    private static final class Task<T> implements LogFlusher.Answer {

        private final @Nullable Work<T> work;
        private final boolean lasting;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private @Nullable T answer;
        private @Nullable BacklogException refused;

        private Task(@Nullable Work<T> work, boolean lasting) {
            this.work = work;
            this.lasting = lasting;
        }

        private void run() throws SQLException {
            if (work != null) {
                try {
                    answer = work.run();
                } catch (BacklogException alone) {
                    refused = alone;
                }
            }
        }

        @Override
        @SuppressWarnings("NullAway") // the answer is what the work answered
        public void complete() {
            if (refused == null) {
                result.complete(answer);
            } else {
                result.completeExceptionally(refused);
            }
        }

        @Override
        public void fail(BacklogException failure) {
            result.completeExceptionally(failure);
        }
    }
}
