package io.surewrite.embedded;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    public static Builder builder() {
        return new Builder();
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
     * @return the only datacenter
     */
    public String localDatacenter() {
        return LOCAL_DATACENTER;
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
        Keyspaces.create(name, running, nodes.size());
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

    /** Describes what to start. */
    public static final class Builder {

        private String version = System.getProperty("surewrite.embedded.version", Options.DEFAULT_VERSION);
        private int nodes = 1;
        private @Nullable Path directory;
        private @Nullable Integer port;
        private final Map<String, Object> settings = new LinkedHashMap<>();
        private @Nullable Path javaHome = pathOrNull(System.getProperty(JdkFinder.PROPERTY));
        private int heapMegabytes = 512;
        private final List<String> jvmArguments = new ArrayList<>();
        private Duration startupTimeout = Duration.ofMinutes(3);

        private Builder() {}

        private static @Nullable Path pathOrNull(@Nullable String path) {
            return path == null ? null : Path.of(path);
        }

        /**
         * Chooses the version of {@code org.apache.cassandra:cassandra-all}.
         *
         * @param version 4.1 or later; by default the system property {@code surewrite.embedded.version}, or else 5.0.9
         * @return this
         */
        public Builder version(String version) {
            this.version = version;
            return this;
        }

        /**
         * Chooses the number of nodes, on 127.0.0.1 and up; keyspaces are replicated to all of them.
         *
         * @param nodes 1 (the default) to 9
         * @return this
         */
        public Builder nodes(int nodes) {
            this.nodes = nodes;
            return this;
        }

        /**
         * Keeps the data in a directory, for the next start; the default is a temporary one.
         *
         * @param directory need not exist
         * @return this
         */
        public Builder directory(Path directory) {
            this.directory = directory;
            return this;
        }

        /**
         * Chooses the port for clients; the default is one that is free.
         *
         * @param port 1 to 65535
         * @return this
         */
        public Builder port(int port) {
            this.port = port;
            return this;
        }

        /**
         * Sets an entry of {@code cassandra.yaml}, over ours.
         *
         * @param name such as {@code cas_contention_timeout}
         * @param value a string, number, boolean, list or map; null takes our entry out
         * @return this
         */
        public Builder setting(String name, @Nullable Object value) {
            settings.put(name, value);
            return this;
        }

        /**
         * Chooses the JDK that runs the server; by default one is looked for.
         *
         * @param javaHome its home
         * @return this
         */
        public Builder javaHome(Path javaHome) {
            this.javaHome = javaHome;
            return this;
        }

        /**
         * Chooses the heap of each node.
         *
         * @param megabytes 512 by default, 128 at least
         * @return this
         */
        public Builder heapMegabytes(int megabytes) {
            this.heapMegabytes = megabytes;
            return this;
        }

        /**
         * Adds an argument for the server's JVM.
         *
         * @param argument such as {@code -Dcassandra.something=1}
         * @return this
         */
        public Builder jvmArgument(String argument) {
            jvmArguments.add(argument);
            return this;
        }

        /**
         * Chooses how long the whole start may take, without the download.
         *
         * @param timeout three minutes by default
         * @return this
         */
        public Builder startupTimeout(Duration timeout) {
            this.startupTimeout = timeout;
            return this;
        }

        /**
         * Starts the server and waits until every node answers CQL and sees the others.
         *
         * @return a running server, to be closed
         * @throws EmbeddedCassandraException when it does not start; nothing is left running then
         */
        public EmbeddedCassandra start() {
            return ClusterStarter.start(options());
        }

        Options options() {
            return new Options(
                    version,
                    nodes,
                    directory,
                    port,
                    Collections.unmodifiableMap(new LinkedHashMap<>(settings)),
                    javaHome,
                    heapMegabytes,
                    List.copyOf(jvmArguments),
                    startupTimeout);
        }
    }
}
