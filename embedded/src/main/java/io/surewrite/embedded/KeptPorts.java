package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.DIRECTORY_UNUSABLE;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Remembers a named directory's number of nodes and its ports: several nodes know each other by address and port, and
 * people like to find a server where it was.
 */
final class KeptPorts {

    private final ServerDirectory directory;
    private final Options options;

    private KeptPorts(ServerDirectory directory, Options options) {
        this.directory = directory;
        this.options = options;
    }

    static KeptPorts of(ServerDirectory directory, Options options) {
        return new KeptPorts(directory, options);
    }

    Ports find(List<InetAddress> addresses) throws IOException {
        if (directory.isTemporary()) {
            return Ports.find(addresses, options.port());
        }
        Path file = directory.path().resolve("cluster.properties");
        Ports kept = read(file);
        boolean same = kept != null && suits(kept, addresses);
        if (kept != null && !same && options.nodes() > 1) {
            throw Ports.taken(addresses.get(0), kept.cql());
        }
        Ports ports = kept != null && same ? kept : Ports.find(addresses, options.port());
        write(file, ports);
        return ports;
    }

    private boolean suits(Ports kept, List<InetAddress> addresses) {
        return (options.port() == null || options.port() == kept.cql())
                && addresses.stream()
                        .allMatch(
                                address -> Ports.isFree(address, kept.cql()) && Ports.isFree(address, kept.storage()));
    }

    private @Nullable Ports read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return null;
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        int nodes = Integer.parseInt(properties.getProperty("nodes"));
        if (nodes != options.nodes()) {
            throw new EmbeddedCassandraException(
                    DIRECTORY_UNUSABLE,
                    "%s holds the data of %d node(s), not of %d".formatted(directory.path(), nodes, options.nodes()),
                    "Set surewrite.embedded.nodes to " + nodes + ", or choose another surewrite.embedded.directory.");
        }
        return new Ports(
                Integer.parseInt(properties.getProperty("cql")), Integer.parseInt(properties.getProperty("storage")));
    }

    private void write(Path file, Ports ports) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("nodes", Integer.toString(options.nodes()));
        properties.setProperty("version", options.version());
        properties.setProperty("cql", Integer.toString(ports.cql()));
        properties.setProperty("storage", Integer.toString(ports.storage()));
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, "An embedded Cassandra of Surewrite");
        }
    }
}
