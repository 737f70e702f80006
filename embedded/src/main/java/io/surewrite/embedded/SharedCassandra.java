package io.surewrite.embedded;

import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One server for everyone in this JVM who asks for the same kind; it runs until the JVM ends.
 *
 * <p>The JVM's system properties say where it is, so that class loaders which do not know each other, such as those of
 * DevTools before and after a restart, find the same server. Thread-safe.
 */
public final class SharedCassandra {

    private static final String PROPERTY_PREFIX = "io.surewrite.embedded.shared.";

    /** A literal: the same object for every class loader of this JVM. */
    private static final String JVM_WIDE_LOCK = "io.surewrite.embedded.shared.lock";

    /** What this class loader has started; another one knows no more than the properties say. */
    private static final Map<String, EmbeddedCassandra> STARTED_HERE = new ConcurrentHashMap<>();

    private final String version;
    private final List<InetSocketAddress> contactPoints;
    private final @Nullable EmbeddedCassandra server;

    private SharedCassandra(String version, List<InetSocketAddress> contactPoints, @Nullable EmbeddedCassandra server) {
        this.version = version;
        this.contactPoints = contactPoints;
        this.server = server;
    }

    /**
     * Returns the server with default options, and starts it if no code has yet.
     *
     * @return the server
     * @throws EmbeddedCassandraException when it does not start
     */
    public static SharedCassandra get() {
        return get(EmbeddedCassandra.builder());
    }

    /**
     * Returns the server that was started with the same options, or starts it.
     *
     * @param description of the server
     * @return the server
     * @throws EmbeddedCassandraException when it does not start
     */
    public static SharedCassandra get(EmbeddedCassandraBuilder description) {
        Options options = description.options();
        String property = PROPERTY_PREFIX + Fingerprint.of(options);
        synchronized (JVM_WIDE_LOCK) {
            String entry = System.getProperty(property);
            if (entry != null && isAlive(entry)) {
                return parse(entry);
            }
            EmbeddedCassandra started = ClusterStarter.start(options, false);
            String line = format(started);
            System.setProperty(property, line);
            STARTED_HERE.put(line, started);
            return parse(line);
        }
    }

    /**
     * Tells whether an address is that of a server which this JVM shares, whatever its options and whoever started it.
     *
     * @param address to which a client is connected
     * @return whether such a server runs there
     */
    public static boolean runsAt(InetSocketAddress address) {
        synchronized (JVM_WIDE_LOCK) {
            return System.getProperties().stringPropertyNames().stream()
                    .filter(name -> name.startsWith(PROPERTY_PREFIX))
                    .map(System::getProperty)
                    .anyMatch(entry ->
                            isAlive(entry) && parse(entry).contactPoints().contains(address));
        }
    }

    private static String format(EmbeddedCassandra server) {
        String addresses = server.contactPoints().stream()
                .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
                .collect(Collectors.joining(","));
        return server.version() + " " + server.node(0).pid() + " " + addresses;
    }

    private static boolean isAlive(String entry) {
        long pid = Long.parseLong(entry.split(" ", -1)[1]);
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static SharedCassandra parse(String entry) {
        String[] parts = entry.split(" ", -1);
        List<InetSocketAddress> addresses = Arrays.stream(parts[2].split(",", -1))
                .map(address -> address.split(":", -1))
                .map(address -> new InetSocketAddress(address[0], Integer.parseInt(address[1])))
                .toList();
        return new SharedCassandra(parts[0], addresses, STARTED_HERE.get(entry));
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
        return contactPoints.get(0);
    }

    /**
     * Where clients connect.
     *
     * @return one address and port for each node
     */
    public List<InetSocketAddress> contactPoints() {
        return contactPoints;
    }

    /**
     * The name that a driver needs to know.
     *
     * @return the only datacenter
     */
    public String localDatacenter() {
        return EmbeddedCassandra.LOCAL_DATACENTER;
    }

    /**
     * Whether {@link #pause()} can be used: not on Windows, and not for what another class loader has started.
     *
     * @return whether it can be paused
     */
    public boolean canPause() {
        return server != null && PauseGuard.isSupported();
    }

    /**
     * Freezes every node: connections stay open and nothing answers any caller in this JVM.
     *
     * @throws EmbeddedCassandraException where it cannot be paused
     */
    public void pause() {
        if (server == null) {
            throw new EmbeddedCassandraException(
                    Reason.UNSUPPORTED,
                    "The server was started by another class loader, which alone has its processes",
                    "Start the application without DevTools.");
        }
        server.nodes().forEach(CassandraNode::pause);
    }

    /** Lets paused nodes run again; does nothing to running ones. */
    public void resume() {
        if (server != null) {
            server.nodes().forEach(CassandraNode::resume);
        }
    }

    /**
     * Creates a keyspace that lives on every node, unless it exists.
     *
     * @param name 1 to 48 letters, digits and underscores; upper case is kept
     */
    public void createKeyspace(String name) {
        createKeyspace(name, true);
    }

    private void createKeyspace(String name, boolean durable) {
        Keyspaces.create(
                name, contactPoints, Map.of(EmbeddedCassandra.LOCAL_DATACENTER, contactPoints.size()), durable);
    }

    /**
     * Creates a keyspace with a name made of any text, unless it exists.
     *
     * @param text such as an application's name
     * @return the name: lower case, with underscores for what a keyspace's name cannot have
     */
    public String createKeyspaceFor(String text) {
        String name = keyspaceNameOf(text);
        createKeyspace(name);
        return name;
    }

    /**
     * The name that {@link #createKeyspaceFor} gives a keyspace. No server is needed for it.
     *
     * @param text such as an application's name
     * @return the name
     */
    public static String keyspaceNameOf(String text) {
        return Keyspaces.nameOf(text);
    }

    /**
     * Creates a keyspace that no other test or application uses. It has {@code durable_writes = false}: its rows end with the
     * server's process, and a {@code TRUNCATE} writes no file before it.
     *
     * @param hint any text, for people who read the name
     * @return its name
     */
    public String createFreshKeyspace(String hint) {
        String name = freshKeyspaceName(hint);
        createKeyspace(name, false);
        return name;
    }

    /**
     * A name such as {@link #createFreshKeyspace} gives a keyspace. No server is needed for it.
     *
     * @param hint any text, for people who read the name
     * @return a name that no keyspace has
     */
    public static String freshKeyspaceName(String hint) {
        String unique = UUID.randomUUID().toString().toLowerCase(Locale.ROOT).substring(0, 8);
        String readable = Keyspaces.nameOf(hint);
        return readable.substring(0, Math.min(38, readable.length())) + "_" + unique;
    }

    /**
     * Drops a keyspace, if it is there.
     *
     * @param name its name
     */
    public void dropKeyspace(String name) {
        Keyspaces.drop(name, contactPoint());
    }
}
