package io.surewrite.verification;

import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code CassandraDaemon} as one would fork it without this project, with the files of an embedded server.
 *
 * @param address where the server answers
 * @param original the directory that the files name
 * @param yaml the server's configuration
 * @param logback its logging
 * @param arguments of its JVM, without the program
 */
record PlainServer(InetSocketAddress address, Path original, String yaml, String logback, List<String> arguments) {

    private static final byte[] OPTIONS_REQUEST = {4, 0, 0, 0, 5, 0, 0, 0, 0};
    private static final int SUPPORTED = 6;

    /**
     * Takes over an embedded server's files.
     *
     * @param embedded a running server
     * @param withFlags whether to take over its JVM flags too
     */
    static PlainServer like(EmbeddedCassandra embedded, boolean withFlags) throws IOException {
        Path node = embedded.directory().resolve("node1");
        List<String> arguments = Files.readAllLines(node.resolve("java.args")).stream()
                .map(line -> line.substring(1, line.length() - 1))
                .filter(argument -> !isOfTheArchive(argument))
                .filter(argument -> withFlags || isNeeded(argument))
                .toList();
        return new PlainServer(
                embedded.contactPoint(),
                node,
                Files.readString(node.resolve("cassandra.yaml")),
                Files.readString(node.resolve("logback.xml")),
                arguments.subList(0, arguments.size() - 1));
    }

    private static boolean isOfTheArchive(String argument) {
        return argument.contains("SharedArchiveFile")
                || argument.contains("RecordDynamicDumpInfo")
                || argument.startsWith("-Xshare")
                || argument.startsWith("-Xlog:cds");
    }

    /** Heap, system properties and what opens the JDK to Cassandra, the class path and the program. */
    private static boolean isNeeded(String argument) {
        return !argument.startsWith("-X") || argument.startsWith("-Xms") || argument.startsWith("-Xmx");
    }

    String flags() {
        return arguments.stream()
                .filter(argument -> argument.startsWith("-X"))
                .collect(Collectors.joining(" ", "", " and Cassandra's --add-opens and --add-exports"));
    }

    Duration timeStart() throws IOException {
        Path directory = Files.createTempDirectory("plain-cassandra-").toRealPath();
        Files.createDirectory(directory.resolve("tmp"));
        Files.writeString(directory.resolve("cassandra.yaml"), moved(yaml, directory));
        Files.writeString(directory.resolve("logback.xml"), moved(logback, directory));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        arguments.forEach(argument -> command.add(moved(argument, directory)));
        command.add("org.apache.cassandra.service.CassandraDaemon");
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.log").toFile())
                .start();
        try {
            while (!answers()) {
                if (!process.isAlive()) {
                    throw new IllegalStateException(Files.readString(directory.resolve("output.log")));
                }
            }
            return Duration.ofNanos(System.nanoTime() - start);
        } finally {
            process.destroyForcibly().onExit().join();
            delete(directory);
        }
    }

    private String moved(String text, Path directory) {
        return text.replace(original.toString(), directory.toString());
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            Thread.sleep(20);
            socket.setSoTimeout(2_000);
            socket.connect(address, 2_000);
            socket.getOutputStream().write(OPTIONS_REQUEST);
            byte[] header = socket.getInputStream().readNBytes(9);
            return header.length == 9 && header[4] == SUPPORTED;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted while a server starts", e);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            tree.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
