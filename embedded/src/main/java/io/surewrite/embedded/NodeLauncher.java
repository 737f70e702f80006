package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.DIRECTORY_UNUSABLE;
import static io.surewrite.embedded.EmbeddedCassandraException.Reason.SERVER_DIED;
import static io.surewrite.embedded.EmbeddedCassandraException.Reason.START_TIMEOUT;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts servers of one cluster.
 *
 * @param options what was asked for
 * @param jdk that runs them
 * @param classPath our child's jar and Cassandra's
 * @param sharing the archive of their classes
 * @param temporary whether their directories go away with them
 * @param restarts whether one may be started again on what it has written
 */
record NodeLauncher(
        Options options, Jdk jdk, List<Path> classPath, ClassSharing sharing, boolean temporary, boolean restarts) {

    ServerProcess launch(NodeSpec node) {
        try {
            NodeFiles.write(node, options.settings());
            return ServerProcess.start(jdk, node.directory(), arguments(node), temporary);
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    DIRECTORY_UNUSABLE,
                    "Cannot start a server in " + node.directory() + ": " + e,
                    "Choose a directory that this user may read and write with surewrite.embedded.directory.",
                    e);
        }
    }

    private List<String> arguments(NodeSpec node) {
        // The user's arguments are among the flags, and the last one counts.
        List<String> arguments =
                new ArrayList<>(JvmArguments.systemProperties(node, options.nodes(), temporary, restarts));
        arguments.addAll(JvmArguments.flags(options, jdk));
        arguments.addAll(sharing.arguments(node.directory()));
        arguments.addAll(JvmArguments.classPath(classPath));
        arguments.add(ChildJar.MAIN_CLASS);
        return arguments;
    }

    /** Waits until the server answers CQL clients. */
    void awaitAnswer(NodeSpec node, ServerProcess server, long deadlineNanos) {
        while (!CqlConnection.answers(node.cql())) {
            if (!server.isAlive()) {
                throw new EmbeddedCassandraException(
                        SERVER_DIED,
                        "Cassandra %s on %s ended with exit code %d before it answered%n%s"
                                .formatted(options.version(), jdk, server.exitCode(), LogTail.of(node.directory())),
                        "The log above tells why; a wrong entry in surewrite.embedded.settings is the usual cause."
                                + jdkHint());
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new EmbeddedCassandraException(
                        START_TIMEOUT,
                        "Cassandra %s on %s did not answer at %s within %s%n%s"
                                .formatted(
                                        options.version(),
                                        jdk,
                                        node.cql(),
                                        options.startupTimeout(),
                                        LogTail.of(node.directory())),
                        "Give it longer with surewrite.embedded.startup-timeout; the log above shows how far it came.");
            }
            sleep();
        }
    }

    /** By when what begins now must be done. */
    long deadline() {
        return System.nanoTime() + options.startupTimeout().toNanos();
    }

    private String jdkHint() {
        SupportedJdks jdks = SupportedJdks.of(options.version());
        return jdks.support(jdk)
                ? ""
                : " This version supports JDK %s only: try one of them, with %s set to its home."
                        .formatted(jdks, JdkFinder.PROPERTY);
    }

    static void sleep() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedCassandraException(
                    START_TIMEOUT, "Interrupted while waiting for Cassandra", "Try it again.", e);
        }
    }
}
