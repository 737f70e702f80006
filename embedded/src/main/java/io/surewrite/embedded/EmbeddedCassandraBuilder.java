package io.surewrite.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Describes an {@link EmbeddedCassandra} to start; every part has a default. Not thread-safe. */
public final class EmbeddedCassandraBuilder {

    private static final String SETTINGS = "surewrite.embedded.settings.";

    private String version = System.getProperty("surewrite.embedded.version", Options.DEFAULT_VERSION);
    private Map<String, Integer> dataCenters = Map.of(EmbeddedCassandra.LOCAL_DATACENTER, 1);
    private boolean named;
    private @Nullable Path directory;
    private @Nullable Integer port;
    private final Map<String, Object> settings = settingsOfThisJvm();
    private @Nullable Path javaHome = pathOrNull(System.getProperty(JdkFinder.PROPERTY));
    private int heapMegabytes = 512;
    private final List<String> jvmArguments = new ArrayList<>();
    private Duration startupTimeout = Duration.ofMinutes(3);

    EmbeddedCassandraBuilder() {}

    private static @Nullable Path pathOrNull(@Nullable String path) {
        return path == null ? null : Path.of(path);
    }

    private static Map<String, Object> settingsOfThisJvm() {
        Map<String, Object> settings = new LinkedHashMap<>();
        for (String property : new TreeSet<>(System.getProperties().stringPropertyNames())) {
            if (property.startsWith(SETTINGS)) {
                // With dashes, as Spring Boot wants them; no entry of cassandra.yaml has one.
                settings.put(property.substring(SETTINGS.length()).replace('-', '_'), System.getProperty(property));
            }
        }
        return settings;
    }

    /**
     * Chooses the version of {@code org.apache.cassandra:cassandra-all}.
     *
     * @param version 4.1 or later; by default the system property {@code surewrite.embedded.version}, or else 5.0.9
     * @return this
     */
    public EmbeddedCassandraBuilder version(String version) {
        this.version = version;
        return this;
    }

    /**
     * Chooses the number of nodes, on 127.0.0.1 and up; keyspaces are replicated to all of them.
     *
     * @param nodes 1 (the default) to 9
     * @return this
     */
    public EmbeddedCassandraBuilder nodes(int nodes) {
        this.dataCenters = Map.of(EmbeddedCassandra.LOCAL_DATACENTER, nodes);
        this.named = false;
        return this;
    }

    /**
     * Adds a data center, in the place of what {@link #nodes} says; keyspaces are replicated to all nodes of each. The nodes are
     * numbered through, and a client that is not told otherwise is in the first one. {@link EmbeddedCassandra#cutLink} parts two.
     *
     * @param name letters, digits, underscores and dashes
     * @param nodes 1 to 9, of all data centers together
     * @return this
     */
    public EmbeddedCassandraBuilder dataCenter(String name, int nodes) {
        Map<String, Integer> all = named ? new LinkedHashMap<>(dataCenters) : new LinkedHashMap<>();
        all.put(name, nodes);
        this.dataCenters = all;
        this.named = true;
        return this;
    }

    /**
     * Keeps the data in a directory, for the next start; the default is a temporary one.
     *
     * @param directory need not exist
     * @return this
     */
    public EmbeddedCassandraBuilder directory(Path directory) {
        this.directory = directory;
        return this;
    }

    /**
     * Chooses the port for clients; the default is one that is free.
     *
     * @param port 1 to 65535
     * @return this
     */
    public EmbeddedCassandraBuilder port(int port) {
        this.port = port;
        return this;
    }

    /**
     * Sets an entry of {@code cassandra.yaml}, over ours, and over what a system property such as
     * {@code surewrite.embedded.settings.paxos-variant} says.
     *
     * @param name such as {@code cas_contention_timeout}
     * @param value a string, number, boolean, list or map; null takes our entry out
     * @return this
     */
    public EmbeddedCassandraBuilder setting(String name, @Nullable Object value) {
        settings.put(name, value);
        return this;
    }

    /**
     * Chooses the JDK that runs the server; by default one is looked for.
     *
     * @param javaHome its home
     * @return this
     */
    public EmbeddedCassandraBuilder javaHome(Path javaHome) {
        this.javaHome = javaHome;
        return this;
    }

    /**
     * Chooses the heap of each node.
     *
     * @param megabytes 512 by default, 128 at least
     * @return this
     */
    public EmbeddedCassandraBuilder heapMegabytes(int megabytes) {
        this.heapMegabytes = megabytes;
        return this;
    }

    /**
     * Adds an argument for the server's JVM.
     *
     * @param argument such as {@code -Dcassandra.something=1}
     * @return this
     */
    public EmbeddedCassandraBuilder jvmArgument(String argument) {
        jvmArguments.add(argument);
        return this;
    }

    /**
     * Chooses how long the whole start may take, without the download.
     *
     * @param timeout three minutes by default
     * @return this
     */
    public EmbeddedCassandraBuilder startupTimeout(Duration timeout) {
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
        return ClusterStarter.start(options(), true);
    }

    Options options() {
        return new Options(
                version,
                Collections.unmodifiableMap(new LinkedHashMap<>(dataCenters)),
                directory,
                port,
                Collections.unmodifiableMap(new LinkedHashMap<>(settings)),
                javaHome,
                heapMegabytes,
                List.copyOf(jvmArguments),
                startupTimeout);
    }
}
