package io.surewrite.verification.faults;

import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.embedded.EmbeddedCassandraBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Some nodes, a fresh directory for the histories, and clients. */
final class Run implements AutoCloseable {

    static final String KEYSPACE = "faults";

    private final EmbeddedCassandra cluster;
    private final List<String> dataCenters;
    private final Path directory;
    private final List<Client> clients = new ArrayList<>();

    /**
     * Starts the nodes. What they have acknowledged survives their death.
     *
     * @param cluster what is started
     * @param dataCenters where clients are, in turn; in the first of all if there are none
     */
    Run(String name, EmbeddedCassandraBuilder cluster, List<String> dataCenters) throws IOException {
        this.directory = Path.of("target", "history", name).toAbsolutePath();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> old = Files.list(directory)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(directory);
        this.cluster = cluster.setting("commitlog_sync", "batch")
                .setting("cas_contention_timeout", "40ms") // so that contended transactions time out
                .start();
        this.cluster.createKeyspace(KEYSPACE);
        this.dataCenters = dataCenters.isEmpty() ? List.of(this.cluster.localDatacenter()) : dataCenters;
    }

    EmbeddedCassandra cluster() {
        return cluster;
    }

    Path directory() {
        return directory;
    }

    Connection connection() {
        return connection(dataCenters.get(0));
    }

    Connection connection(String dataCenter) {
        return Connection.to(cluster, dataCenter, KEYSPACE);
    }

    List<Client> clients() {
        return clients;
    }

    void startClient(Class<?> program, String... more) throws IOException {
        String dataCenter = dataCenters.get(clients.size() % dataCenters.size());
        List<String> arguments = new ArrayList<>(connection(dataCenter).arguments());
        arguments.add(directory.toString());
        arguments.addAll(List.of(more));
        clients.add(new Client("client" + (clients.size() + 1), program, arguments, directory));
    }

    void awaitClients() throws IOException, InterruptedException {
        for (Client client : clients) {
            while (!client.isAtWork()) {
                Thread.sleep(100);
            }
        }
    }

    /** Has all clients end, which each of them does when what it has begun is over. */
    void finishClients() throws IOException, InterruptedException {
        for (Client client : clients) {
            client.askToEnd();
        }
        for (Client client : clients) {
            client.awaitEnd();
        }
        clients.clear();
    }

    @Override
    public void close() {
        for (Client client : clients) {
            client.kill();
        }
        cluster.close();
    }
}
