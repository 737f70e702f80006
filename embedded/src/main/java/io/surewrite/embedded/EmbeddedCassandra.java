package io.surewrite.embedded;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A real Apache Cassandra of one or more nodes, each in a JVM of its own, for development and tests.
 *
 * <pre>{@code
 * try (EmbeddedCassandra cassandra = EmbeddedCassandra.builder().start()) {
 *     cassandra.createKeyspace("shop");
 *     CqlSession.builder()
 *             .addContactPoint(cassandra.contactPoint())
 *             .withLocalDatacenter(cassandra.localDatacenter())
 *             .withKeyspace("shop")
 *             .build();
 * }
 * }</pre>
 *
 * <p>It stops when it is closed, and when this JVM ends, even by {@code kill -9}. Thread-safe.
 */
public final class EmbeddedCassandra implements AutoCloseable {

    static final String LOCAL_DATACENTER = "datacenter1";

    private final String version;
    private final List<CassandraNode> nodes;
    private final ServerDirectory directory;
    private final Thread shutdownHook = new Thread(this::stop, "surewrite-embedded-stop");
    private boolean stopped;

    EmbeddedCassandra(String version, List<CassandraNode> nodes, ServerDirectory directory) {
        this.version = version;
        this.nodes = List.copyOf(nodes);
        this.directory = directory;
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    /**
     * Begins a description of what to start; every part of it has a default.
     *
     * @return a builder
     */
    public static EmbeddedCassandraBuilder builder() {
        return new EmbeddedCassandraBuilder();
    }

    /**
     * The version that runs.
     *
     * @return such as {@code 5.0.9}
     */
    public String version() {
        return version;
    }

    /**
     * Where clients connect to the first node.
     *
     * @return address and port
     */
    public InetSocketAddress contactPoint() {
        return nodes.get(0).address();
    }

    /**
     * Where clients connect.
     *
     * @return one address and port for each node
     */
    public List<InetSocketAddress> contactPoints() {
        return nodes.stream().map(CassandraNode::address).toList();
    }

    /**
     * The name that a driver needs to know.
     *
     * @return the only datacenter, or the first one
     */
    public String localDatacenter() {
        return nodes.get(0).dataCenter();
    }

    /**
     * The nodes of one data center.
     *
     * @param dataCenter its name
     * @return its nodes, in order; none if there is no such data center
     */
    public List<CassandraNode> nodesOf(String dataCenter) {
        return nodes.stream()
                .filter(node -> node.dataCenter().equals(dataCenter))
                .toList();
    }

    /**
     * Cuts the link between two data centers: no node of one hears anything from a node of the other, gossip included. Clients
     * reach both. Connections stay open, as when a router drops packets. A node that starts again finds the link as it is.
     *
     * @param one a data center whose nodes run
     * @param other another one
     * @throws EmbeddedCassandraException when a node does not obey
     */
    public void cutLink(String one, String other) {
        link(one, other, "cut");
    }

    /**
     * Makes the link between two data centers slow.
     *
     * @param one a data center whose nodes run
     * @param other another one
     * @param delay how long each message takes longer, in each direction; more than none
     * @throws EmbeddedCassandraException when a node does not obey
     */
    public void slowLink(String one, String other, Duration delay) {
        if (delay.toMillis() < 1) {
            throw new IllegalArgumentException("A slow link is slower by a millisecond at least, not by " + delay);
        }
        link(one, other, Long.toString(delay.toMillis()));
    }

    /**
     * Makes the link between two data centers what it was. The nodes see each other a few seconds later: {@link #awaitMembers}.
     *
     * @param one a data center whose nodes run
     * @param other another one
     * @throws EmbeddedCassandraException when a node does not obey
     */
    public void restoreLink(String one, String other) {
        link(one, other, "whole");
    }

    private void link(String one, String other, String how) {
        List<CassandraNode> left = nodesOf(one);
        List<CassandraNode> right = nodesOf(other);
        if (left.isEmpty() || right.isEmpty() || one.equals(other)) {
            throw new IllegalArgumentException("There is no link from '%s' to '%s'".formatted(one, other));
        }
        left.forEach(node -> node.link(right, how));
        right.forEach(node -> node.link(left, how));
    }

    /**
     * One node.
     *
     * @param index from 0
     * @return the node, which can be paused, killed and started again
     */
    public CassandraNode node(int index) {
        return nodes.get(index);
    }

    /**
     * All nodes.
     *
     * @return as many as were asked for, running or not
     */
    public List<CassandraNode> nodes() {
        return nodes;
    }

    /**
     * Where the data and the logs are: {@code node1} and up, each with its {@code system.log}.
     *
     * @return the named directory, or the temporary one
     */
    public Path directory() {
        return directory.path();
    }

    /**
     * Creates a keyspace that lives on every node, unless it exists; every running node knows it afterwards.
     *
     * @param name 1 to 48 letters, digits and underscores; upper case is kept
     * @throws EmbeddedCassandraException when the server refuses it
     */
    public void createKeyspace(String name) {
        List<InetSocketAddress> running = nodes.stream()
                .filter(CassandraNode::isRunning)
                .map(CassandraNode::address)
                .toList();
        Map<String, Integer> replicas = new LinkedHashMap<>();
        nodes.forEach(node -> replicas.merge(node.dataCenter(), 1, Integer::sum));
        Keyspaces.create(name, running, replicas);
    }

    /**
     * Waits until every running node sees every other one, such as after a restart or a pause.
     *
     * @param patience how long to wait
     * @throws EmbeddedCassandraException when that takes longer
     */
    public void awaitMembers(Duration patience) {
        Membership.await(nodes, System.nanoTime() + patience.toNanos());
    }

    /** Stops every node; a temporary directory goes away. Does nothing the second time. */
    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            // The JVM is ending: the hook finds nothing left to do.
        }
    }

    private synchronized void stop() {
        if (!stopped) {
            stopped = true;
            nodes.parallelStream().forEach(node -> node.stop(!directory.isTemporary()));
            directory.close();
        }
    }
}
