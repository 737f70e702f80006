package io.surewrite.actuate;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Shows how many tombstones reads met, as the servers count them: {@code surewrite.tombstones.per.read}, tagged by session,
 * table and quantile, the worst of all nodes. Covers the tables of the session's keyspace, on servers that have {@code
 * system_views.tombstones_per_read} (Cassandra 4.0 and later).
 *
 * <p>The servers' smallest count is 1, which stands for one tombstone or none: it is shown as 0.
 *
 * <p>Reading a gauge never waits: it shows what was known, and has it looked up again if that is half a minute old.
 */
public final class TombstoneMetrics {

    private static final Log log = LogFactory.getLog(TombstoneMetrics.class);

    /** The upper end of the histogram's first bucket, which begins at zero. */
    private static final double SMALLEST = 1;

    private static final Duration FRESH = Duration.ofSeconds(30);
    private static final SimpleStatement SELECT = SimpleStatement.newInstance(
            "SELECT keyspace_name, table_name, p50th, p99th, max FROM system_views.tombstones_per_read");

    private final String name;
    private final CqlSession session;
    private final MeterRegistry registry;
    private final AtomicLong lookedUp = new AtomicLong(System.nanoTime() - FRESH.toNanos());
    private final Map<Series, Map<Node, Double>> counts = new ConcurrentHashMap<>();

    private record Series(String table, String quantile) {}

    /**
     * Creates the metrics; they appear when the servers have answered for the first time.
     *
     * @param name the name of the session's bean
     * @param session asks the servers
     * @param registry holds the meters
     */
    public TombstoneMetrics(String name, CqlSession session, MeterRegistry registry) {
        this.name = name;
        this.session = session;
        this.registry = registry;
        refresh();
    }

    private void refresh() {
        long last = lookedUp.get();
        if (System.nanoTime() - last >= FRESH.toNanos() && lookedUp.compareAndSet(last, System.nanoTime())) {
            session.getMetadata().getNodes().values().stream()
                    .filter(node -> node.getState() == NodeState.UP)
                    .forEach(this::ask);
        }
    }

    private void ask(Node node) {
        var unused = session.executeAsync(SELECT.setNode(node))
                .thenAccept(rows -> read(node, rows))
                .exceptionally(failure -> {
                    log.debug("Node " + node + " does not tell how many tombstones reads meet", failure);
                    return null;
                });
    }

    private void read(Node node, AsyncResultSet rows) {
        String keyspace = session.getKeyspace().map(CqlIdentifier::asInternal).orElse(null);
        for (Row row : rows.currentPage()) {
            if (Objects.equals(row.getString("keyspace_name"), keyspace)) {
                String table = keyspace + "." + row.getString("table_name");
                put(new Series(table, "0.5"), node, row.getDouble("p50th"));
                put(new Series(table, "0.99"), node, row.getDouble("p99th"));
                put(new Series(table, "1"), node, row.getDouble("max"));
            }
        }
        if (rows.hasMorePages()) {
            var unused = rows.fetchNextPage().thenAccept(next -> read(node, next));
        }
    }

    private void put(Series series, Node node, double count) {
        counts.computeIfAbsent(series, this::register).put(node, count > SMALLEST ? count : 0);
    }

    private Map<Node, Double> register(Series series) {
        Map<Node, Double> nodes = new ConcurrentHashMap<>();
        SurewriteMeter.TOMBSTONES_PER_READ.gauge(registry, () -> worst(nodes), name, series.table(), series.quantile());
        return nodes;
    }

    private double worst(Map<Node, Double> nodes) {
        refresh();
        return nodes.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
}
