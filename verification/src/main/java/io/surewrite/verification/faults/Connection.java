package io.surewrite.verification.faults;

import io.surewrite.embedded.CassandraNode;
import io.surewrite.embedded.EmbeddedCassandra;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * How an application reaches the cluster of a run.
 *
 * @param contactPoints all nodes of a data centre, comma-separated
 * @param datacenter its name
 * @param keyspace of the run
 */
record Connection(String contactPoints, String datacenter, String keyspace) {

    /** How many arguments {@link #arguments()} are. */
    static final int ARGUMENTS = 3;

    static Connection to(EmbeddedCassandra cluster, String datacenter, String keyspace) {
        String contactPoints = cluster.nodesOf(datacenter).stream()
                .map(CassandraNode::address)
                .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
                .collect(Collectors.joining(","));
        return new Connection(contactPoints, datacenter, keyspace);
    }

    static Connection of(String[] arguments, int from) {
        return new Connection(arguments[from], arguments[from + 1], arguments[from + 2]);
    }

    List<String> arguments() {
        return List.of(contactPoints, datacenter, keyspace);
    }

    /** Starts an application that reads and writes at QUORUM and finds its tables there. */
    ConfigurableApplicationContext start(Class<?> application, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.cassandra.contact-points=" + contactPoints,
                "spring.cassandra.local-datacenter=" + datacenter,
                "spring.cassandra.keyspace-name=" + keyspace,
                "spring.cassandra.request.timeout=5s",
                "spring.cassandra.request.consistency=quorum",
                "spring.data.cassandra.repositories.type=none", // whoever wants some enables them
                "logging.level.root=error"));
        properties.addAll(List.of(more));
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(properties.toArray(String[]::new))
                .run();
    }
}
