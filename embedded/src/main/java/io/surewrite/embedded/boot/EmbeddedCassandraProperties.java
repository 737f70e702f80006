package io.surewrite.embedded.boot;

import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.embedded.EmbeddedCassandraBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The embedded Cassandra of an application without another one.
 *
 * @param enabled Whether to start one where no other Cassandra is configured.
 * @param version Version of org.apache.cassandra:cassandra-all to run (default 5.0.9).
 * @param nodes Number of nodes, 1 to 9, on 127.0.0.1 and up. Keyspaces are replicated to all of them.
 * @param directory Directory that keeps the data between starts; by default a temporary one.
 * @param port Port for clients; by default a free one.
 * @param javaHome Home of the JDK that runs the server; by default one is looked for.
 * @param heapMegabytes Heap of each node in MB (default 512).
 * @param jvmArguments Further arguments for the server's JVM.
 * @param settings Entries of cassandra.yaml, over ours, with dashes for underscores.
 * @param startupTimeout How long the start may take, without the download.
 * @param uniqueKeyspace Whether each application context gets a keyspace of its own, unless spring.cassandra.keyspace-name
 *     is set; true in Spring's tests.
 */
@ConfigurationProperties("surewrite.embedded")
public record EmbeddedCassandraProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String version,
        @DefaultValue("1") int nodes,
        @Nullable Path directory,
        @Nullable Integer port,
        @Nullable Path javaHome,
        @DefaultValue("512") int heapMegabytes,
        @DefaultValue List<String> jvmArguments,
        @DefaultValue Map<String, Object> settings,
        @DefaultValue("3m") Duration startupTimeout,
        @DefaultValue("false") boolean uniqueKeyspace) {

    EmbeddedCassandraBuilder toBuilder() {
        EmbeddedCassandraBuilder builder = EmbeddedCassandra.builder()
                .nodes(nodes)
                .heapMegabytes(heapMegabytes)
                .startupTimeout(startupTimeout);
        if (version != null) {
            builder.version(version);
        }
        if (directory != null) {
            builder.directory(directory);
        }
        if (port != null) {
            builder.port(port);
        }
        if (javaHome != null) {
            builder.javaHome(javaHome);
        }
        jvmArguments.forEach(builder::jvmArgument);
        // Binding takes underscores out of a map's keys; no entry of cassandra.yaml has a dash.
        settings.forEach((name, value) -> builder.setting(name.replace('-', '_'), value));
        return builder;
    }
}
