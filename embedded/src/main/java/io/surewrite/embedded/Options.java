package io.surewrite.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything one can choose about a cluster. */
record Options(
        String version,
        int nodes,
        @Nullable Path directory,
        @Nullable Integer port,
        Map<String, Object> settings,
        @Nullable Path javaHome,
        int heapMegabytes,
        List<String> jvmArguments,
        Duration startupTimeout) {

    static final String DEFAULT_VERSION = "5.0.9";
    static final int MOST_NODES = 9;

    Options {
        require(!version.isBlank(), "version", "The Cassandra version is empty");
        require(
                nodes >= 1 && nodes <= MOST_NODES,
                "nodes",
                "An embedded Cassandra has 1 to " + MOST_NODES + " nodes, not " + nodes);
        require(port == null || (port > 0 && port < 65536), "port", "Port " + port + " is not between 1 and 65535");
        require(
                heapMegabytes >= 128,
                "heap-megabytes",
                "A heap of " + heapMegabytes + " MB is too small for Cassandra: 128 at least");
        require(
                startupTimeout.toMillis() > 0,
                "startup-timeout",
                "The start-up time-out must be positive, not " + startupTimeout);
    }

    private static void require(boolean condition, String property, String problem) {
        if (!condition) {
            throw new EmbeddedCassandraException(
                    EmbeddedCassandraException.Reason.INVALID_OPTION,
                    problem,
                    "Correct surewrite.embedded." + property + ", or what was said to the builder.");
        }
    }
}
