package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.channel.DriverChannel;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Servers that speak CQL and are not Apache Cassandra. Surewrite was run on none of them; what is said here comes from their
 * makers' documentation.
 */
enum ServerKind {
    /** Tells itself by the options that it offers before a session begins. */
    SCYLLA(
            "ScyllaDB",
            "a conditional batch returns a row for each of its statements, and each answer has the row as it was, applied or not: leases and unique values read the first row alone",
            "tables in keyspaces with tablets take lightweight transactions from release 2025.4 on only",
            "there is no system_views.settings: limits of the server show at the first write"),
    /** Has one name for all its clusters. */
    KEYSPACES(
            "Amazon Keyspaces",
            "all writes are at LOCAL_QUORUM: surewrite.conditional.serial-consistency=local-serial is needed, and whether conditions hold between regions is not known",
            "a table keeps the timestamp of a write only if client-side timestamps are switched on for it: otherwise a late repetition of an old write wins over a newer one",
            "a time to live has to be switched on for a table, and leases need one in a conditional batch, which is not known to work",
            "tables are made in the background: create Surewrite's before the start, and set surewrite.schema.initialize=never"),
    /** Tells itself by an option, as the driver looks for it, too. */
    ASTRA(
            "DataStax Astra DB",
            "writes to a database of one region are at LOCAL_QUORUM and LOCAL_SERIAL only, of several at EACH_QUORUM and SERIAL: set surewrite.conditional.serial-consistency=local-serial, or the profile of conditional writes",
            "list elements cannot be set or deleted by their index",
            "gc_grace_seconds, read_repair and other options of a table are ignored, so that what is checked of them at the start says nothing");

    private final String text;
    private final String unsure;

    ServerKind(String text, String... unsure) {
        this.text = text;
        this.unsure = String.join("\n", unsure);
    }

    /** {@return what is known not to hold there, or not known to, a sentence each} */
    List<String> unsure() {
        return unsure.lines().toList();
    }

    @Override
    public String toString() {
        return text;
    }

    /**
     * Looks at what the server said when the session connected; asks it nothing.
     *
     * @return what it is; null if it says nothing of being another server than Cassandra
     */
    static @Nullable ServerKind of(CqlSession session) {
        DriverChannel channel = session.getContext() instanceof InternalDriverContext internal
                ? internal.getControlConnection().channel()
                : null;
        return channel == null ? null : of(channel.getOptions(), channel.getClusterName());
    }

    private static @Nullable ServerKind of(@Nullable Map<String, List<String>> options, @Nullable String clusterName) {
        if (options != null && options.keySet().stream().anyMatch(option -> option.startsWith("SCYLLA_"))) {
            return SCYLLA;
        }
        if (options != null && options.getOrDefault("PRODUCT_TYPE", List.of()).contains("DATASTAX_APOLLO")) {
            return ASTRA;
        }
        return KEYSPACES.text.equalsIgnoreCase(clusterName) ? KEYSPACES : null;
    }
}
