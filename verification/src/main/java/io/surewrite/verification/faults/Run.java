package io.surewrite.verification.faults;

import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Three nodes, a fresh directory for the histories, and clients. */
final class Run implements AutoCloseable {

    private static final String KEYSPACE = "faults";

    private final EmbeddedCassandra cluster;
    private final Path directory;
    private final List<Client> clients = new ArrayList<>();

    /** Starts the nodes. What they have acknowledged survives their death. */
    Run(String name) throws IOException {
        this.directory = Path.of("target", "history", name).toAbsolutePath();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> old = Files.list(directory)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(directory);
        this.cluster = EmbeddedCassandra.builder()
                .nodes(3)
                .setting("commitlog_sync", "batch")
                .setting("cas_contention_timeout", "40ms") // so that contended transactions time out
                .start();
        cluster.createKeyspace(KEYSPACE);
    }

    EmbeddedCassandra cluster() {
        return cluster;
    }

    Path directory() {
        return directory;
    }

    Connection connection() {
        return Connection.to(cluster, KEYSPACE);
    }

    List<Client> clients() {
        return clients;
    }

    void startClient(Class<?> program, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(connection().arguments());
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

    void finishClients() throws IOException, InterruptedException {
        for (Client client : clients) {
            client.finish();
        }
        clients.clear();
    }

    /** {@return everything that was seen} */
    List<Event> events() throws IOException {
        return History.read(directory);
    }

    /** Throws if anything was found wrong. */
    void judge(List<?> violations) {
        System.out.println("The histories are in " + directory);
        if (!violations.isEmpty()) {
            throw new IllegalStateException(violations.size() + " violations, such as: " + violations.get(0));
        }
    }

    @Override
    public void close() {
        for (Client client : clients) {
            client.kill();
        }
        cluster.close();
    }
}
