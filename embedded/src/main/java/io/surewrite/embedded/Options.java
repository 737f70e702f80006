package io.surewrite.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything one can choose about a cluster.
 *
 * @param dataCenters the number of nodes of each, in the order of the nodes
 */
record Options(
        String version,
        Map<String, Integer> dataCenters,
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
        dataCenters.forEach((name, nodes) -> {
            require(
                    name.matches("[A-Za-z0-9_-]+"),
                    "nodes",
                    "'" + name + "' is not the name of a data center: letters, digits, underscores and dashes");
            require(
                    nodes >= 1 && nodes <= MOST_NODES,
                    "nodes",
                    "An embedded Cassandra has 1 to " + MOST_NODES + " nodes, not " + nodes);
        });
        int all = nodes(dataCenters);
        require(all <= MOST_NODES, "nodes", "An embedded Cassandra has 1 to " + MOST_NODES + " nodes, not " + all);
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

    int nodes() {
        return nodes(dataCenters);
    }

    private static int nodes(Map<String, Integer> dataCenters) {
        return dataCenters.values().stream().mapToInt(Integer::intValue).sum();
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
