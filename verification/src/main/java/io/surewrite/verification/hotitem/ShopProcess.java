package io.surewrite.verification.hotitem;

import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The packaged sample shop in a JVM of its own.
 *
 * @param process the JVM
 * @param address where it answers
 */
record ShopProcess(Process process, URI address) implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Starts it on a cluster and waits until it answers. */
    static ShopProcess start(Path jar, EmbeddedCassandra server, String keyspace)
            throws IOException, InterruptedException {
        int port = freePort();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-jar",
                        jar.toString(),
                        "--server.port=" + port,
                        "--logging.level.root=WARN",
                        "--spring.main.banner-mode=off",
                        "--surewrite.schema.initialize=always",
                        "--spring.cassandra.keyspace-name=" + keyspace,
                        "--spring.cassandra.local-datacenter=" + server.localDatacenter(),
                        "--spring.cassandra.contact-points=127.0.0.1:"
                                + server.contactPoint().getPort())
                .inheritIO()
                .start();
        ShopProcess shop = new ShopProcess(process, URI.create("http://127.0.0.1:" + port));
        try {
            shop.awaitAnswer();
            return shop;
        } catch (IOException | InterruptedException | RuntimeException failure) {
            shop.close();
            throw failure;
        }
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request =
                HttpRequest.newBuilder(address.resolve("/shopper")).build();
        long start = System.nanoTime();
        while (process.isAlive() && System.nanoTime() - start < PATIENCE.toNanos()) {
            try {
                http.send(request, BodyHandlers.discarding());
                return;
            } catch (ConnectException notYet) {
                Thread.sleep(100);
            }
        }
        throw new IllegalStateException("The shop did not start");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
