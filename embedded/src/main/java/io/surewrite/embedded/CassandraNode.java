package io.surewrite.embedded;

import java.net.InetSocketAddress;

/**
 * One node of an embedded cluster, for tests that break things. Thread-safe.
 *
 * <p>A killed node keeps its data. As on a real server with {@code commitlog_sync: periodic}, what it acknowledged in its
 * last moments may be missing after a restart; use {@code setting("commitlog_sync", "batch")} where that matters.
 */
public final class CassandraNode {

    private final NodeSpec spec;
    private final NodeLauncher launcher;
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
