package io.surewrite.backlog;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import org.jspecify.annotations.Nullable;

/**
 * One thread that brings a log to the disk and then answers those whose transactions stood in it, so that many of them
 * share one wait. After a failed flush there is no second try: the system may have forgotten what it could not write, and
 * would confirm the rest.
 */
final class LogFlusher implements AutoCloseable {

    private final Log log;
    private final BlockingQueue<Answer> queue = new LinkedTransferQueue<>();
    private final Thread thread;
    private volatile @Nullable BacklogException failure;

    LogFlusher(Log log) {
        this.log = log;
        this.thread = new Thread(this::run, "surewrite-backlog-flush");
        thread.setDaemon(true);
        thread.start();
    }

    /** What others append to. */
    interface Log {

        /** Returns when all that was appended before is on the disk. */
        void force() throws IOException;

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

    /** What somebody waits for. */
    interface Answer {

        void complete();

        void fail(BacklogException failure);
    }

    /** Answers when all that is in the log by now is on the disk. */
    void confirm(Answer answer) {
        queue.add(answer);
    }

    /** Tells why nothing can be confirmed any more. */
    @Nullable
    BacklogException failure() {
        return failure;
    }

    private void run() {
        List<Answer> group = new ArrayList<>();
        try {
            do {
                group.clear();
                group.add(queue.take());
                queue.drainTo(group);
            } while (flush(group));
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells whether there may be more. */
    private boolean flush(List<Answer> group) {
        boolean last = group.remove(END);
        try {
            if (failure == null && !group.isEmpty()) {
                log.force();
            }
        } catch (IOException | RuntimeException failed) {
            failure = new UnconfirmedException(
                    "The disk did not confirm what the backlog wrote: %s. It may be written to the cluster all the same. Nothing more is kept until a restart. Instead, see what the system's log says of the disk"
                            .formatted(failed),
                    failed);
        }
        BacklogException failed = failure;
        for (Answer answer : group) {
            if (failed == null) {
                answer.complete();
            } else {
                answer.fail(failed);
            }
        }
        return !last;
    }

    /** Answers what was given before, then lets go of the log. */
    @Override
    public void close() {
        queue.add(END);
        Threads.joinUninterruptibly(thread);
        try {
            log.close();
        } catch (IOException nothingToLose) {
            // All that was to be confirmed was.
        }
    }

    private static final Answer END = new Answer() {

        @Override
        public void complete() {}

        @Override
        public void fail(BacklogException failure) {}
    };
}
