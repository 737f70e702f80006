package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.UNSUPPORTED;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One node of an embedded cluster, for tests that break things. Thread-safe.
 *
 * <p>A killed node keeps its data. As on a real server with {@code commitlog_sync: periodic}, what it acknowledged in its
 * last moments may be missing after a restart; use {@code setting("commitlog_sync", "batch")} where that matters.
 */
public final class CassandraNode {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final NodeSpec spec;
    private final NodeLauncher launcher;
    private final Map<String, String> links = new LinkedHashMap<>();
    private ServerProcess server;

    CassandraNode(NodeSpec spec, NodeLauncher launcher) {
        this.spec = spec;
        this.launcher = launcher;
        this.server = launcher.launch(spec);
    }

    /**
     * Where clients connect.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        return spec.cql();
    }

    /**
     * The data center it is in.
     *
     * @return its name
     */
    public String dataCenter() {
        return spec.dataCenter();
    }

    /**
     * The process of this node.
     *
     * @return its id
     */
    public synchronized long pid() {
        return server.pid();
    }

    /**
     * Whether the process runs; a paused one does.
     *
     * @return true until it was killed or died
     */
    public synchronized boolean isAlive() {
        return server.isAlive();
    }

    /**
     * Freezes the process, as a long garbage collection or a stalled machine does: connections stay open and nothing answers.
     *
     * @throws EmbeddedCassandraException on Windows, which cannot do that
     */
    public synchronized void pause() {
        server.pause();
    }

    /** Lets a paused process run again; does nothing to a running one. */
    public synchronized void resume() {
        server.resume();
    }

    /** Ends the process at once, as {@code kill -9} does. */
    public synchronized void kill() {
        server.kill();
    }

    /**
     * Starts the node again with its data, and waits until it answers; a running process is stopped in order before.
     *
     * @throws EmbeddedCassandraException when it does not start
     */
    public void restart() {
        ServerProcess started;
        synchronized (this) {
            server.stop();
            server = launcher.launch(spec);
            started = server;
        }
        // Not under the lock: a thread that ends this JVM meanwhile must not wait for us.
        try {
            launcher.awaitAnswer(spec, started, deadline());
        } catch (EmbeddedCassandraException e) {
            kill();
            throw e;
        }
        synchronized (this) {
            links.forEach((other, how) -> tell(List.of(other), how));
        }
    }

    /** What this node hears from others from now on, also after a restart: see {@code Links}, which runs in it. */
    synchronized void link(List<CassandraNode> others, String how) {
        List<String> addresses = others.stream()
                .map(node -> node.address().getAddress().getHostAddress())
                .toList();
        addresses.forEach(other -> links.put(other, how));
        tell(addresses, how);
    }

    private void tell(List<String> others, String how) {
        if (!server.isAlive()) {
            return; // It hears of it when it starts again.
        }
        Path done = spec.directory().resolve("tmp").resolve("link-" + UUID.randomUUID());
        Path failed = done.resolveSibling(done.getFileName() + ".failed");
        try {
            server.tell("link %s %s %s".formatted(how, String.join(",", others), done));
            long start = System.nanoTime();
            while (!Files.deleteIfExists(done)) {
                if (Files.exists(failed) || !server.isAlive() || System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw new IOException(Files.exists(failed) ? Files.readString(failed) : "no answer");
                }
                NodeLauncher.sleep();
            }
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    UNSUPPORTED,
                    "The " + this + " cannot change its link to others: " + e.getMessage(),
                    "Resume a paused node first; version 5.0.9 is tested.",
                    e);
        }
    }

    void awaitAnswer(long deadlineNanos) {
        launcher.awaitAnswer(spec, current(), deadlineNanos);
    }

    private synchronized ServerProcess current() {
        return server;
    }

    void shareClasses() {
        launcher.sharing().writeFrom(current(), spec.directory());
    }

    synchronized boolean isRunning() {
        return server.isAlive() && !server.isPaused();
    }

    synchronized void stop(boolean orderly) {
        if (orderly) {
            server.stop();
        } else {
            server.kill();
        }
    }

    private long deadline() {
        return System.nanoTime() + launcher.options().startupTimeout().toNanos();
    }

    @Override
    public String toString() {
        return "node at " + address() + ", process " + pid();
    }
}
