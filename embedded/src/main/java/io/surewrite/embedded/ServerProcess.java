package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.UNSUPPORTED;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server's process, tied to this one: when this JVM ends, however it ends, so does the server. */
final class ServerProcess {

    private static final Duration ORDERLY_STOP = Duration.ofSeconds(30);

    private final Process process;
    private final @Nullable Path deleteWithIt;
    private @Nullable PauseGuard pause;

    private ServerProcess(Process process, @Nullable Path deleteWithIt) {
        this.process = process;
        this.deleteWithIt = deleteWithIt;
    }

    /**
     * Starts the server.
     *
     * @param arguments of its JVM, with the main class last
     * @param temporary whether its directory goes away with it
     */
    static ServerProcess start(Jdk jdk, Path directory, List<String> arguments, boolean temporary) throws IOException {
        ProcessBuilder builder = jdk.process(NodeFiles.argumentFile(directory, "java.args", arguments))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(NodeFiles.output(directory).toFile());
        builder.command().add(directory.toString());
        builder.command().add(temporary ? "temporary" : "kept");
        return new ServerProcess(builder.start(), temporary ? directory : null);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isPaused() {
        return pause != null;
    }

    int exitCode() {
        return process.exitValue();
    }

    void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    void pause() {
        if (pause == null) {
            PauseGuard.mustBeSupported();
            pause = PauseGuard.watch(pid(), deleteWithIt);
            signal("-STOP");
        }
    }

    void resume() {
        if (pause != null) {
            signal("-CONT");
            pause.close();
            pause = null;
        }
    }

    /** Ends the server at once, as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        await(ORDERLY_STOP);
        if (pause != null) {
            pause.close();
            pause = null;
        }
    }

    /** Ends the server in order: it writes what it has in memory. */
    void stop() {
        if (process.isAlive() && pause == null) {
            try {
                tell("stop");
                await(ORDERLY_STOP);
            } catch (IOException e) {
                // It is about to end by itself.
            }
        }
        kill();
    }

    private void await(Duration patience) {
        boolean interrupted = false;
        long end = System.nanoTime() + patience.toNanos();
        while (process.isAlive() && System.nanoTime() < end) {
            try {
                process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true; // A test's time-out must not leave a server behind.
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(pid())).start();
            kill.onExit().join();
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    UNSUPPORTED, "Cannot signal process " + pid() + ": " + e, "Check that 'kill' is on the PATH.", e);
        }
    }
}
