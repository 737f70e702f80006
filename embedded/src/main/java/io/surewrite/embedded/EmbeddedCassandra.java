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
    private final Topology topology;
    private final ServerDirectory directory;
    private final Thread shutdownHook = new Thread(this::stop, "surewrite-embedded-stop");
    private boolean stopped;

    EmbeddedCassandra(String version, Topology topology, ServerDirectory directory) {
        this.version = version;
        this.topology = topology;
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
        return node(0).address();
    }

    /**
     * Where clients connect.
     *
     * @return one address and port for each node
     */
    public List<InetSocketAddress> contactPoints() {
        return nodes().stream().map(CassandraNode::address).toList();
    }

    /**
     * The name that a driver needs to know.
     *
     * @return the only datacenter, or the first one
     */
    public String localDatacenter() {
        return node(0).dataCenter();
    }

    /**
     * The nodes of one data center.
     *
     * @param dataCenter its name
     * @return its nodes, in order; none if there is no such data center
     */
    public List<CassandraNode> nodesOf(String dataCenter) {
        return nodes().stream()
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
     * Adds a node while the others run: it takes its part of the data from them, and is there when they all know it. Keyspaces
     * keep their number of replicas. Afterwards {@link CassandraNode#cleanUp} removes what the others need no more.
     *
     * <p>For clusters in a temporary directory, whose nodes all run. The node waits for ten seconds several times, so that no node
     * writes without it what belongs to it: {@code jvmArgument("-Dcassandra.ring_delay_ms=...")} makes these waits, and those of
     * {@link #decommission}, shorter or longer.
     *
     * @param dataCenter where; it has a node already
     * @return the node
     * @throws EmbeddedCassandraException when it does not start: then it is not added; or when the others do not know it in
     *     time: then it is
     */
    public CassandraNode addNode(String dataCenter) {
        return topology.add(dataCenter);
    }

    /**
     * Adds a node to the only data center, or the first one: see {@link #addNode(String)}.
     *
     * @return the node
     * @throws EmbeddedCassandraException when it does not start: then it is not added; or when the others do not know it in
     *     time: then it is
     */
    public CassandraNode addNode() {
        return addNode(localDatacenter());
    }

    /**
     * Starts a node in the place of a dead one, at an address of its own. It takes the data of any one of the other replicas. So
     * what only the dead node and one other had, while a third had missed it, is then a minority's. To be safe from that, first
     * {@linkplain CassandraNode#repairWithLiveReplicas repair} the nodes that live.
     *
     * @param dead a node that was {@linkplain CassandraNode#kill killed}; it does not belong to the cluster afterwards
     * @return the node in its place
     * @throws EmbeddedCassandraException when it does not start: then nothing has changed; or when the others do not know it
     *     in time: then it is in its place
     */
    public CassandraNode replace(CassandraNode dead) {
        return topology.replace(dead);
    }

    /**
     * Has a node give its data to the others, and leave; its process ends. Refused by Cassandra where a keyspace wants as many
     * replicas as there are nodes: so a cluster does not become smaller than it has begun.
     *
     * @param node which runs, as all do; it does not belong to the cluster afterwards
     * @throws EmbeddedCassandraException when it is refused, or fails. One that takes longer than the start-up time-out goes on:
     *     close the cluster then
     */
    public void decommission(CassandraNode node) {
        topology.decommission(node);
    }

    /**
     * One node.
     *
     * @param index from 0
     * @return the node, which can be paused, killed and started again
     */
    public CassandraNode node(int index) {
        return nodes().get(index);
    }

    /**
     * All nodes.
     *
     * @return those that belong to the cluster now, running or not: as many as were asked for, and those that came later behind
     *     them
     */
    public List<CassandraNode> nodes() {
        return topology.members();
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
        List<InetSocketAddress> running = nodes().stream()
                .filter(CassandraNode::isRunning)
                .map(CassandraNode::address)
                .toList();
        Map<String, Integer> replicas = new LinkedHashMap<>();
        nodes().forEach(node -> replicas.merge(node.dataCenter(), 1, Integer::sum));
        Keyspaces.create(name, running, replicas, true);
    }

    /**
     * Waits until every running node sees every other one, such as after a restart or a pause, and takes none for alive that does
     * not run, such as after a kill.
     *
     * @param patience how long to wait
     * @throws EmbeddedCassandraException when that takes longer
     */
    public void awaitMembers(Duration patience) {
        topology.awaitMembers(System.nanoTime() + patience.toNanos());
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
            topology.stop();
            directory.close();
        }
    }
}
