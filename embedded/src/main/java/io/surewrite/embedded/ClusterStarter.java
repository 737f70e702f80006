package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.DIRECTORY_UNUSABLE;
import static io.surewrite.embedded.EmbeddedCassandraException.Reason.SERVER_DIED;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts all nodes of a cluster, or none: whatever fails, nothing of it is left. */
final class ClusterStarter {

    private static final System.Logger LOG = System.getLogger(EmbeddedCassandra.class.getName());

    private static final int ATTEMPTS = 3;

    private final Options options;
    private final ServerDirectory directory;
    private final NodeLauncher launcher;
    private final List<InetAddress> addresses;

    private ClusterStarter(Options options, ServerDirectory directory, NodeLauncher launcher) {
        this.options = options;
        this.directory = directory;
        this.launcher = launcher;
        this.addresses = Ports.addresses(options.nodes());
    }

    /**
     * Starts it.
     *
     * @param options what was asked for
     * @param restarts whether a node may be started again on what it has written
     */
    static EmbeddedCassandra start(Options options, boolean restarts) {
        Path cache = UserDirectories.cache();
        Jdk jdk = JdkFinder.ofThisMachine().find(options.version(), options.javaHome());
        UserDefinedFunctions.check(options, jdk);
        List<Path> classPath = new ArrayList<>(new ServerClassPath(cache, new MavenResolver()).of(options.version()));
        SupportedJdks jdks = SupportedJdks.of(options.version());
        LOG.log(
                Level.INFO,
                jdks.support(jdk)
                        ? "Apache Cassandra {0} starts on JDK {1}"
                        : "Apache Cassandra {0} starts on JDK {1}, though it supports {2} only",
                options.version(),
                jdk,
                jdks);
        ServerDirectory directory = ServerDirectory.open(options.directory());
        try {
            classPath.add(0, ChildJar.in(cache, directory.node(0), options.version(), jdk));
            ClassSharing sharing = ClassSharing.of(cache, jdk, classPath, JvmArguments.flags(options, jdk));
            NodeLauncher launcher = new NodeLauncher(
                    options, jdk, classPath, sharing, directory.isTemporary(), restarts || !directory.isTemporary());
            List<CassandraNode> nodes = new ClusterStarter(options, directory, launcher).start();
            return new EmbeddedCassandra(options.version(), new Topology(launcher, directory, nodes), directory);
        } catch (IOException e) {
            directory.close();
            throw new EmbeddedCassandraException(
                    DIRECTORY_UNUSABLE,
                    "Cannot prepare " + directory.path() + ": " + e,
                    "Choose another directory with surewrite.embedded.directory.",
                    e);
        } catch (RuntimeException | Error e) {
            directory.close();
            throw e;
        }
    }

    private List<CassandraNode> start() throws IOException {
        for (int attempt = 1; ; attempt++) {
            Ports ports = KeptPorts.of(directory, options).find(addresses);
            try {
                return start(ports);
            } catch (EmbeddedCassandraException e) {
                if (!portWasTaken(e)) {
                    throw e;
                }
                if (options.port() != null) {
                    throw Ports.taken(addresses.get(0), options.port());
                }
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Someone may take a port between our look and the server's. */
    private static boolean portWasTaken(EmbeddedCassandraException e) {
        String message = String.valueOf(e.getMessage());
        return e.getReason() == SERVER_DIED
                && (message.contains("Address already in use")
                        || message.contains("is in use by another process")
                        || message.contains("Failed to bind port"));
    }

    private List<CassandraNode> start(Ports ports) throws IOException {
        long deadline = launcher.deadline();
        List<CassandraNode> nodes = new ArrayList<>();
        try {
            for (int index = 0; index < options.nodes(); index++) {
                NodeSpec spec = NodeSpec.founder(index, options.dataCenters(), addresses, ports, directory.node(index));
                nodes.add(new CassandraNode(spec, launcher));
            }
            for (CassandraNode node : nodes) {
                node.awaitAnswer(deadline);
            }
            Membership.await(nodes, options.nodes(), deadline);
            nodes.get(0).shareClasses();
            return nodes;
        } catch (IOException | RuntimeException | Error e) {
            nodes.forEach(node -> node.stop(false));
            throw e;
        }
    }
}
