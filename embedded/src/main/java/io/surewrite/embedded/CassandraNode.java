package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.OPERATION_FAILED;
import static io.surewrite.embedded.EmbeddedCassandraException.Reason.UNSUPPORTED;

import java.io.IOException;
import java.net.InetAddress;
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

    private volatile NodeSpec spec;
    private final NodeLauncher launcher;
    private final Map<String, String> links = new LinkedHashMap<>();
    private ServerProcess server;

    /** Whether it has left its cluster, or another has its place: a process of it would not be ended with the others. */
    private boolean retired;

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
     * Writes what the node has to disk and has it take no more requests, as {@code nodetool drain} does: to be called before
     * {@link #restart}, so that no call of a client is cut off.
     *
     * @throws EmbeddedCassandraException when it fails
     */
    public void drain() {
        operate("drain", "");
    }

    /**
     * Compares the whole of what this node has of a keyspace with all other replicas, so that all have the same afterwards, as
     * {@code nodetool repair --full} does.
     *
     * @param keyspace its name
     * @throws EmbeddedCassandraException when it fails, such as when a replica is down
     */
    public void repair(String keyspace) {
        operate("repair", keyspace);
    }

    /**
     * The same with the replicas that are up, as {@code nodetool repair --full --force} does: to be called before a dead node is
     * {@linkplain EmbeddedCassandra#replace replaced}, which takes the data of one of them, and after the others
     * {@linkplain EmbeddedCassandra#awaitMembers know} that it is dead.
     *
     * @param keyspace its name
     * @throws EmbeddedCassandraException when it fails
     */
    public void repairWithLiveReplicas(String keyspace) {
        operate("repair-live", keyspace);
    }

    /**
     * Ends lightweight transactions that were begun and not ended, as {@code nodetool repair --paxos-only} does.
     *
     * @param keyspace its name
     * @throws EmbeddedCassandraException when it fails, such as when a replica is down
     */
    public void repairPaxos(String keyspace) {
        operate("repair-paxos", keyspace);
    }

    /**
     * Removes what this node has of a keyspace and needs no more since another one came, as {@code nodetool cleanup} does.
     *
     * @param keyspace its name
     * @throws EmbeddedCassandraException when it fails, such as while a node comes or goes
     */
    public void cleanUp(String keyspace) {
        operate("cleanup", keyspace);
    }

    /**
     * Starts the node again with its data, and waits until it answers; a running process is stopped in order before.
     *
     * @throws EmbeddedCassandraException when it does not start
     * @throws IllegalStateException if it does not belong to its cluster any more
     */
    public void restart() {
        ServerProcess started;
        synchronized (this) {
            if (retired) {
                throw new IllegalStateException("The " + this + " does not belong to its cluster any more");
            }
            server.stop();
            server = launcher.launch(spec);
            started = server;
        }
        // Not under the lock: a thread that ends this JVM meanwhile must not wait for us.
        try {
            launcher.awaitAnswer(spec, started, launcher.deadline());
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
        try {
            tell(server, "link %s %s".formatted(how, String.join(",", others)), PATIENCE);
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    UNSUPPORTED,
                    "The " + this + " cannot change its link to others: " + e.getMessage(),
                    "Resume a paused node first; version 5.0.9 is tested.",
                    e);
        }
    }

    /** It does not belong to its cluster any more. */
    synchronized void retire() {
        retired = true;
    }

    /** Gives its data to the others, and leaves the ring. */
    void decommission() {
        operate("decommission", "");
    }

    /** The ring, as this node knows it. */
    RingView ring() throws IOException {
        return RingView.of(tell(current(), "operate ring -", PATIENCE));
    }

    private void operate(String operation, String keyspace) {
        String argument = keyspace.isEmpty() ? "-" : Keyspaces.mustBeValid(keyspace);
        try {
            tell(
                    current(),
                    "operate %s %s".formatted(operation, argument),
                    launcher.options().startupTimeout());
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    OPERATION_FAILED,
                    "The %s could not %s: %s%n%s"
                            .formatted(
                                    this,
                                    (operation + " " + keyspace).strip(),
                                    e.getMessage(),
                                    LogTail.of(spec.directory())),
                    "All nodes that it needs must run, and no other node come or go meanwhile; the log above tells more."
                            + " It may take as long as surewrite.embedded.startup-timeout.",
                    e);
        }
    }

    /** Not under the lock: a thread that ends this JVM meanwhile must not wait for an answer. */
    private String tell(ServerProcess process, String command, Duration patience) throws IOException {
        Path done = spec.directory().resolve("tmp").resolve("reply-" + UUID.randomUUID());
        Path failed = done.resolveSibling(done.getFileName() + ".failed");
        process.tell(command + " " + done);
        long start = System.nanoTime();
        while (!Files.exists(done)) {
            if (Files.exists(failed)) {
                throw new IOException(Files.readString(failed));
            }
            if (!process.isAlive()) {
                throw new IOException("it has ended");
            }
            if (System.nanoTime() - start > patience.toNanos()) {
                throw new IOException("no answer for " + patience.toSeconds() + " s");
            }
            NodeLauncher.sleep();
        }
        String answer = Files.readString(done);
        Files.delete(done);
        return answer;
    }

    NodeSpec spec() {
        return spec;
    }

    /** Says who else is there: this node belongs to them, and asks them when it starts again. */
    void isMemberAmong(List<InetAddress> members) {
        spec = spec.member(members);
    }

    synchronized boolean hasBadLinks() {
        return links.values().stream().anyMatch(how -> !how.equals("whole"));
    }

    void awaitAnswer() {
        awaitAnswer(launcher.deadline());
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

    @Override
    public String toString() {
        return "node at " + address() + ", process " + pid();
    }
}
