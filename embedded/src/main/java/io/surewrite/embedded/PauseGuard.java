package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.UNSUPPORTED;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Ends a paused server when this JVM goes away: paused, it cannot see that itself. A small shell waits for a line from us,
 * and takes the end of the stream for our end.
 */
final class PauseGuard implements Closeable {

    /** Its arguments: the server's process, and its directory if that goes away with it. */
    private static final String SCRIPT = """
            read line && exit
            kill -9 "$1"
            [ -n "$2" ] || exit
            rm -rf "$2"
            rm -f "${2%/*}/surewrite.lock"
            rmdir "${2%/*}"
            """;

    private final Process shell;

    private PauseGuard(Process shell) {
        this.shell = shell;
    }

    static boolean isSupported() {
        return !System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
    }

    static void mustBeSupported() {
        if (!isSupported()) {
            throw new EmbeddedCassandraException(
                    UNSUPPORTED,
                    "Windows cannot pause a process",
                    "Use kill() and restart(), or run this test on Linux or macOS.");
        }
    }

    static PauseGuard watch(long pid, @Nullable Path deleteWithIt) {
        String directory = deleteWithIt == null ? "" : deleteWithIt.toString();
        List<String> command = List.of("sh", "-c", SCRIPT, "surewrite-pause-guard", Long.toString(pid), directory);
        try {
            return new PauseGuard(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    UNSUPPORTED, "Cannot pause without a shell: " + e, "Check that 'sh' is on the PATH.", e);
        }
    }

    /** Tells the shell that all is well. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().write("done\n".getBytes(StandardCharsets.UTF_8));
            shell.getOutputStream().close();
        } catch (IOException e) {
            shell.destroyForcibly(); // It has ended already.
        }
    }
}
