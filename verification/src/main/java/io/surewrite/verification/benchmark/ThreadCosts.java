package io.surewrite.verification.benchmark;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What threads have taken so far: those of compilers, of the collector, and of whatever makes a load are others. */
final class ThreadCosts {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The threads of sessions that send and receive, by their names. */
    static final String OF_DRIVER = "-io-";

    private final long[] threads;
    private final List<FileChannel> scheduled;
    private final ByteBuffer read = ByteBuffer.allocate(100);

    /** A reading, or the difference of two. */
    record Reading(long cpuNanos, long bytes, long switches) {

        Reading plus(Reading from, Reading to) {
            return new Reading(
                    cpuNanos + to.cpuNanos - from.cpuNanos,
                    bytes + to.bytes - from.bytes,
                    switches + to.switches - from.switches);
        }
    }

    private ThreadCosts(long[] threads, List<Path> tasks) throws IOException {
        this.threads = threads;
        this.scheduled = new ArrayList<>();
        for (Path task : tasks) {
            scheduled.add(FileChannel.open(task.resolve("schedstat")));
        }
    }

    static ThreadCosts ofThisThread() throws IOException {
        return new ThreadCosts(
                new long[] {Thread.currentThread().getId()},
                List.of(Path.of("/proc/thread-self").toRealPath()));
    }

    static ThreadCosts ofDrivers() throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return new ThreadCosts(
                    Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                            .filter(thread ->
                                    thread != null && thread.getThreadName().contains(OF_DRIVER))
                            .mapToLong(thread -> thread.getThreadId())
                            .toArray(),
                    tasks.filter(ThreadCosts::isOfDriver).toList());
        }
    }

    private static boolean isOfDriver(Path task) {
        try {
            return Files.readString(task.resolve("comm")).contains(OF_DRIVER);
        } catch (IOException ended) {
            return false;
        }
    }

    Reading now() {
        long switches = scheduled.stream().mapToLong(this::switches).sum();
        return new Reading(
                Arrays.stream(THREADS.getThreadCpuTime(threads)).sum(),
                Arrays.stream(THREADS.getThreadAllocatedBytes(threads)).sum(),
                switches);
    }

    /** How often a thread was given a processor: the last of three numbers. */
    private long switches(FileChannel task) {
        try {
            task.read(read.clear(), 0);
            String numbers = StandardCharsets.US_ASCII.decode(read.flip()).toString();
            return Long.parseLong(
                    numbers.substring(numbers.lastIndexOf(' ') + 1).strip());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
