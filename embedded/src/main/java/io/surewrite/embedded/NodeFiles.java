package io.surewrite.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** The files that a server starts from: its configuration, its logging and its command line. */
final class NodeFiles {

    /** Quiet, and complete enough to tell why a server died. The file is a property: a path may hold what XML does not. */
    private static final String LOGBACK = """
            <configuration>
              <appender name="FILE" class="ch.qos.logback.core.FileAppender">
                <file>${surewrite.log}</file>
                <encoder><pattern>%-5level [%thread] %date{ISO8601} %logger{0} - %msg%n</pattern></encoder>
              </appender>
              <root level="INFO"><appender-ref ref="FILE"/></root>
            </configuration>
            """;

    private NodeFiles() {}

    static void write(NodeSpec node, Map<String, Object> settings) throws IOException {
        Path directory = node.directory();
        Files.createDirectories(directory.resolve("tmp"));
        Path log = log(directory);
        if (Files.exists(log)) {
            Files.move(log, directory.resolve("system.previous.log"), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.writeString(directory.resolve("cassandra.yaml"), CassandraYaml.of(node, settings));
        Files.writeString(directory.resolve("logback.xml"), LOGBACK);
        Files.writeString(node.rackFile(), "dc=%s%nrack=rack1%n".formatted(node.dataCenter()));
    }

    static Path log(Path directory) {
        return directory.resolve("system.log");
    }

    static Path output(Path directory) {
        return directory.resolve("output.log");
    }

    /** A command line of a hundred jars is too long for some systems. */
    static Path argumentFile(Path directory, String name, List<String> arguments) throws IOException {
        Path file = directory.resolve(name);
        Files.write(file, arguments.stream().map(NodeFiles::quoted).toList());
        return file;
    }

    private static String quoted(String argument) {
        return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
