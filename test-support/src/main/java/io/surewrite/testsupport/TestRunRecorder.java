package io.surewrite.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Records what the tests of one JVM cost, for {@link TestRunReport}: time, processors, servers, application contexts, keyspaces, tables
 * and sleeps. JUnit finds it as a service; it does nothing unless the build names the lane by {@value #LANE}.
 *
 * <p>A thread looks five times in two seconds at the tests' threads and every two seconds at the server processes, and reads a server's
 * log for its keyspaces and tables, because a server's directory goes away with the server. What a server did in its last
 * two seconds, or all its life if that was shorter, is not seen.
 */
public final class TestRunRecorder implements LauncherSessionListener {

    static final String LANE = "surewrite.test.lane";
    static final String DIRECTORY = "test-runs";

    private static final long PERIOD_MILLIS = 400;
    private static final int PERIODS_OF_SERVERS = 5;
    private static final Pattern LOG_FILE = Pattern.compile("-Dsurewrite\\.log=([^\"\\s]+)");
    private static final Pattern NEW_TABLE = Pattern.compile("Initializing (\\w+)\\.(\\w+)");

    private static @Nullable Recording recording;

    /** For JUnit. */
    public TestRunRecorder() {}

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        String lane = System.getProperty(LANE, "");
        if (!lane.isEmpty()) {
            session.getLauncher().registerTestExecutionListeners(recordingOf(lane));
        }
    }

    /** Surefire opens a session for each test class of a JVM; the recording goes on over all of them. */
    private static synchronized Recording recordingOf(String lane) {
        Recording current = recording;
        if (current == null) {
            current = new Recording(lane, Thread.currentThread());
            recording = current;
            current.start();
        }
        return current;
    }

    /** One JVM's costs. */
    private static final class Recording implements TestExecutionListener {

        private final String lane;
        private final Thread tests;
        private final Map<Long, ServerProcess> servers = new ConcurrentHashMap<>();
        private int passed;
        private int skipped;
        private int failed;
        private long sleptMillis;

        Recording(String lane, Thread tests) {
            this.lane = lane;
            this.tests = tests;
        }

        void start() {
            ManagementFactory.getThreadMXBean().setThreadContentionMonitoringEnabled(true);
            Thread observer = new Thread(this::observe, "test-run-recorder");
            observer.setDaemon(true);
            observer.start();
            Runtime.getRuntime().addShutdownHook(new Thread(this::write, "test-run-record"));
        }

        private void observe() {
            for (int period = 0; ; period++) {
                lookAtThreads();
                if (period % PERIODS_OF_SERVERS == 0) {
                    lookAtServers();
                }
                try {
                    Thread.sleep(PERIOD_MILLIS);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        private synchronized void lookAtThreads() {
            sleptMillis +=
                    PERIOD_MILLIS * testThreads().filter(Recording::sleeps).count();
        }

        private synchronized void lookAtServers() {
            try (Stream<ProcessHandle> processes = ProcessHandle.current().descendants()) {
                processes.forEach(process -> servers.computeIfAbsent(process.pid(), pid -> new ServerProcess(process))
                        .look());
            }
        }

        /** The launcher's thread, and JUnit's own where tests run concurrently. */
        private Stream<Thread> testThreads() {
            Thread[] threads = new Thread[Thread.activeCount() + 10];
            int count = Thread.enumerate(threads);
            return Stream.of(threads)
                    .limit(count)
                    .filter(thread -> thread == tests || thread.getName().startsWith("ForkJoinPool-"));
        }

        private static boolean sleeps(Thread thread) {
            if (thread.getState() != Thread.State.TIMED_WAITING) {
                return false; // without its stack, which is long
            }
            StackTraceElement[] stack = thread.getStackTrace();
            return Arrays.stream(stack)
                    .limit(3)
                    .anyMatch(frame -> frame.getClassName().equals("java.lang.Thread")
                            && frame.getMethodName().startsWith("sleep"));
        }

        @Override
        public synchronized void executionSkipped(TestIdentifier test, String reason) {
            skipped++;
        }

        @Override
        public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                failed++;
            } else if (test.isTest()) {
                if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
                    passed++;
                } else {
                    skipped++;
                }
            }
        }

        private synchronized void write() {
            Properties costs = new Properties();
            costs.setProperty("lane", lane);
            long startedAt = ManagementFactory.getRuntimeMXBean().getStartTime();
            costs.setProperty("started", Long.toString(startedAt));
            costs.setProperty("ended", Long.toString(System.currentTimeMillis()));
            costs.setProperty("passed", Integer.toString(passed));
            costs.setProperty("skipped", Integer.toString(skipped));
            costs.setProperty("failed", Integer.toString(failed));
            costs.setProperty("contexts", Integer.toString(ContextCounter.count()));
            costs.setProperty("slept", Long.toString(sleptMillis));
            costs.setProperty("waited", Long.toString(waitedMillis()));
            costs.setProperty(
                    "cpu",
                    Long.toString(ProcessHandle.current()
                            .info()
                            .totalCpuDuration()
                            .orElse(Duration.ZERO)
                            .toMillis()));
            // Cassandra's processes; others are the build's own, such as a browser.
            servers.values().removeIf(server -> !server.isCassandra());
            costs.setProperty("servers", Integer.toString(servers.size()));
            costs.setProperty(
                    "serverCpu",
                    Long.toString(servers.values().stream()
                            .mapToLong(server -> server.cpu.toMillis())
                            .sum()));
            costs.setProperty("keyspaces", Integer.toString(sum(server -> server.keyspaces)));
            costs.setProperty("tables", Integer.toString(sum(server -> server.tables)));
            Path file = Path.of(
                    "target", DIRECTORY, lane + "-" + ProcessHandle.current().pid() + ".properties");
            try {
                Files.createDirectories(file.getParent());
                try (Writer writer = Files.newBufferedWriter(file)) {
                    costs.store(writer, null);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private int sum(Function<ServerProcess, Set<String>> what) {
            return servers.values().stream()
                    .mapToInt(server -> what.apply(server).size())
                    .sum();
        }

        /** How long the thread of the tests stood still: asleep, parked or waiting for another thread or the server. */
        private long waitedMillis() {
            ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(tests.getId());
            return info == null ? 0 : info.getWaitedTime();
        }
    }

    /** A child process of the tests, as it was when it was last seen. */
    private static final class ServerProcess {

        private final ProcessHandle process;
        private final Set<String> keyspaces = new TreeSet<>();
        private final Set<String> tables = new TreeSet<>();
        private Duration cpu = Duration.ZERO;
        private @Nullable Path log;
        private long read;

        ServerProcess(ProcessHandle process) {
            this.process = process;
        }

        boolean isCassandra() {
            return log != null;
        }

        void look() {
            process.info().totalCpuDuration().ifPresent(seen -> cpu = seen.compareTo(cpu) > 0 ? seen : cpu);
            if (log == null) {
                log = findLog();
            }
            if (log != null) {
                readTables(log);
            }
        }

        /** The server's arguments stand in a file, which its command line names. */
        private @Nullable Path findLog() {
            return process.info()
                    .arguments()
                    .flatMap(arguments -> Arrays.stream(arguments)
                            .filter(argument -> argument.startsWith("@"))
                            .findFirst())
                    .map(argument -> logNamedIn(Path.of(argument.substring(1))))
                    .orElse(null);
        }

        private static @Nullable Path logNamedIn(Path argumentFile) {
            try {
                Matcher matcher = LOG_FILE.matcher(Files.readString(argumentFile));
                return matcher.find() ? Path.of(matcher.group(1)) : null;
            } catch (IOException gone) {
                return null;
            }
        }

        private void readTables(Path file) {
            try (SeekableByteChannel channel = Files.newByteChannel(file)) {
                channel.position(read);
                ByteBuffer buffer = ByteBuffer.allocate((int) Math.max(0, channel.size() - read));
                while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                    // Until all of it is there.
                }
                String text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
                String lines = text.substring(0, text.lastIndexOf('\n') + 1);
                read += lines.getBytes(StandardCharsets.UTF_8).length;
                NEW_TABLE
                        .matcher(lines)
                        .results()
                        .filter(table -> !table.group(1).startsWith("system"))
                        .forEach(table -> {
                            keyspaces.add(table.group(1));
                            tables.add(table.group(1) + "." + table.group(2));
                        });
            } catch (NoSuchFileException notYetOrNoMore) {
                // The server has just begun, or its directory is gone.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
