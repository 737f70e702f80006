package io.surewrite.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What this test's JVM has running, and what it can be started on. */
final class Servers {

    private static final int FIRST_THAT_CASSANDRA_DOES_NOT_SUPPORT = 24;

    private Servers() {}

    /** The processes of servers that this JVM has started and that still run, paused ones too. */
    static List<Long> running() {
        return ProcessHandle.current()
                .children()
                .filter(ProcessHandle::isAlive)
                .filter(child -> child.info().command().orElse("").contains("java"))
                .map(ProcessHandle::pid)
                .toList();
    }

    /** The newest JDK of this machine, if it is newer than any that a Cassandra supports: one without a security manager. */
    static Optional<Jdk> newestJdk() {
        return Stream.concat(
                        Stream.of(ForkedJvm.thisJavaHome()),
                        JdkFolders.ofThisMachine().stream()
                                .filter(Files::isDirectory)
                                .flatMap(Servers::children))
                .flatMap(home -> Jdk.at(home).stream())
                .filter(jdk -> jdk.feature() >= FIRST_THAT_CASSANDRA_DOES_NOT_SUPPORT)
                .max((left, right) -> Integer.compare(left.feature(), right.feature()));
    }

    private static Stream<Path> children(Path folder) {
        try (Stream<Path> children = Files.list(folder)) {
            return children.toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}
