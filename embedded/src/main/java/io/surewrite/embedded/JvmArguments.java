package io.surewrite.embedded;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The arguments of a server's JVM. */
final class JvmArguments {

    /** What Cassandra reaches into, as its own start script allows it. */
    private static final List<String> OPENS = List.of(
            "java.base/java.io",
            "java.base/java.lang",
            "java.base/java.lang.module",
            "java.base/java.lang.reflect",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/jdk.internal.loader",
            "java.base/jdk.internal.math",
            "java.base/jdk.internal.module",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect",
            "java.base/jdk.internal.util.jar",
            "java.base/jdk.internal.vm",
            "java.base/sun.nio.ch",
            "jdk.management/com.sun.management.internal");

    private static final List<String> EXPORTS = List.of(
            "java.base/java.lang.ref",
            "java.base/jdk.internal.misc",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.util",
            "java.base/sun.nio.ch",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi",
            "java.rmi/sun.rmi.registry",
            "java.rmi/sun.rmi.server",
            "java.sql/java.sql");

    /** Within it a node hears ten times of what others say; Cassandra's default is half a minute. */
    private static final Duration RING_DELAY_OF_WHO_JOINS = Duration.ofSeconds(10);

    private JvmArguments() {}

    /** What decides, together with JDK and class path, whether a class-data-sharing archive fits. */
    static List<String> flags(Options options, Jdk jdk) {
        List<String> flags = new ArrayList<>();
        flags.add("-Xms" + options.heapMegabytes() + "m");
        flags.add("-Xmx" + options.heapMegabytes() + "m");
        flags.add("-Xss512k");
        flags.add("-XX:+UseSerialGC");
        // Half the CPU time of a start goes into the second compiler, which a development server rarely lives to enjoy.
        flags.add("-XX:TieredStopAtLevel=1");
        flags.add("-XX:-UsePerfData");
        flags.add("-XX:+HeapDumpOnOutOfMemoryError");
        flags.add("-XX:+ExitOnOutOfMemoryError");
        OPENS.forEach(open -> flags.add("--add-opens=" + open + "=ALL-UNNAMED"));
        EXPORTS.forEach(export -> flags.add("--add-exports=" + export + "=ALL-UNNAMED"));
        if (jdk.feature() >= 18 && jdk.hasSecurityManager()) {
            flags.add("-Djava.security.manager=allow");
        }
        if (jdk.feature() >= 24) { // From here on each use warns, and a later JDK will refuse it.
            flags.add("--sun-misc-unsafe-memory-access=allow");
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        flags.addAll(options.jvmArguments());
        return flags;
    }

    static List<String> classPath(List<Path> classPath) {
        return List.of("-cp", classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    }

    /**
     * Cassandra's own switches: nothing here waits for a cluster that has none to wait for. But who comes to a running one waits
     * until it knows the others and they know it: what it does not know of, it takes no data of.
     *
     * @param replicas of what the system keeps: one for each of the nodes that the cluster began with
     */
    static List<String> systemProperties(NodeSpec node, int replicas, boolean temporary, boolean restarts) {
        Path directory = node.directory();
        List<String> properties = new ArrayList<>(List.of(
                "-Dcassandra.config=" + directory.resolve("cassandra.yaml").toUri(),
                "-Dcassandra-rackdc.properties=" + node.rackFile().toUri(),
                "-Dcassandra.storagedir=" + directory,
                "-Dlogback.configurationFile="
                        + directory.resolve("logback.xml").toUri(),
                "-Dsurewrite.log=" + NodeFiles.log(directory),
                "-Djava.io.tmpdir=" + directory.resolve("tmp"),
                "-Djava.net.preferIPv4Stack=true",
                "-Djdk.attach.allowAttachSelf=true",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-Dcassandra-foreground=yes",
                "-Dcassandra.shutdown_announce_in_ms=0",
                "-Dcassandra.superuser_setup_delay_ms=0",
                "-Dcassandra.system_auth.default_rf=" + replicas,
                "-Dcassandra.system_distributed.default_rf=" + replicas,
                "-Dcassandra.system_traces.default_rf=" + replicas,
                // Measuring this at every start takes a tenth of it; the value is what is measured.
                "-Dcassandra.memtable.row_overhead_size=180",
                // The clock for time-outs wakes it that often, also when it is idle; every 2 ms by default.
                "-Dcassandra.approximate_time_precision_ms=10",
                // What the system has not yet written survives the end of a process; a temporary directory needs no
                // more.
                "-Dcassandra.skip_sync=" + temporary,
                // A server that is never started again needs none of the system's tables on disk: writing the schema is
                // nine tenths of a DDL statement, and writing when a table was emptied is most of a TRUNCATE.
                "-Dcassandra.test.flush_local_schema_changes=" + restarts,
                "-Dcassandra.unsafesystem=" + !restarts));
        if (node.bootstraps()) {
            long ringDelay = RING_DELAY_OF_WHO_JOINS.toMillis();
            properties.add("-Dcassandra.ring_delay_ms=" + ringDelay);
            // A replacement waits as long at least to see that the dead node is dead: a minute by default.
            properties.add("-Dcassandra.broadcast_interval_ms=" + 2 * ringDelay);
        } else {
            properties.add("-Dcassandra.skip_wait_for_gossip_to_settle=0");
            properties.add("-Dcassandra.ring_delay_ms=" + (node.seeds().size() == 1 ? 0 : 1000));
        }
        if (node.replaces() != null) {
            properties.add(
                    "-Dcassandra.replace_address_first_boot=" + node.replaces().getHostAddress());
        }
        return properties;
    }
}
