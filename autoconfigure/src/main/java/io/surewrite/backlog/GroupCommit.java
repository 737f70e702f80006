package io.surewrite.backlog;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One thread that owns a connection. What is asked of it while it commits is done together in the next transaction, so
 * that many callers share one wait for the disk.
 */
final class GroupCommit implements AutoCloseable {

    private static final int MOST = 1024;

    /** Less than a disk takes to confirm anything. */
    private static final Duration GATHERING = Duration.ofNanos(200_000);

    private final Connection connection;
    private final Function<Exception, BacklogException> translation;
    private final Runnable committed;
    private final Runnable rolledBack;
    private final BlockingQueue<Task<?>> queue = new LinkedBlockingQueue<>();
    private final Thread thread;
    private boolean closed;

    /** How many asked the last time; the thread's. */
    private int expected;

    /**
     * Starts the thread.
     *
     * @param connection used by nobody else from now on; closed at the end
     * @param translation says what a failure means
     * @param committed called by the thread after each transaction, before those who asked for it hear of it
     * @param rolledBack called by the thread after each transaction that failed
     */
    GroupCommit(
            Connection connection,
            Function<Exception, BacklogException> translation,
            Runnable committed,
            Runnable rolledBack) {
        this.connection = connection;
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

    <T> CompletableFuture<T> submit(Work<T> work) {
        Task<T> task = new Task<>(work);
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
                gather(group);
                boolean last = group.removeIf(task -> task.work == null);
                commit(group);
                expected = group.size();
                group.clear();
                if (last) {
                    return;
                }
            }
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Takes what is there, and waits a little for the callers of the last time, who are about to come back: a disk that is
     * waited for by few at a time takes as long as for many.
     */
    private void gather(List<Task<?>> group) {
        long end = System.nanoTime() + GATHERING.toNanos();
        queue.drainTo(group, MOST - 1);
        while (group.size() < expected && System.nanoTime() < end) {
            LockSupport.parkNanos(5_000);
            queue.drainTo(group, MOST - group.size());
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
            group.forEach(task -> task.result.completeExceptionally(translated));
            return;
        }
        committed.run();
        group.forEach(Task::complete);
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
            queue.add(new Task<>(null));
        }
        joinUninterruptibly();
        try {
            connection.close();
        } catch (SQLException failure) {
            throw translation.apply(failure);
        }
    }

    private void joinUninterruptibly() {
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

        private final @Nullable Work<T> work;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private @Nullable T answer;
        private @Nullable BacklogException refused;

        private Task(@Nullable Work<T> work) {
            this.work = work;
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

        @SuppressWarnings("NullAway") // the answer is what the work answered
        private void complete() {
            if (refused == null) {
                result.complete(answer);
            } else {
                result.completeExceptionally(refused);
            }
        }
    }
}
