package io.surewrite.schema.tables;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.InvalidConfigurationException;
import io.surewrite.cql.WriteFailures;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What exists, read from the server itself: the driver's copy of the schema may be switched off, filtered or behind.
 */
record SchemaCatalog(CqlSession session) {

    /** What explains a refusal. */
    static final String PAGE = "schema";

    static final String TABLE = """
            SELECT default_time_to_live FROM system_schema.tables
            WHERE keyspace_name = ? AND table_name = ?""";

    static final String COLUMNS = """
            SELECT column_name, kind, position, type FROM system_schema.columns
            WHERE keyspace_name = ? AND table_name = ?""";

    static final String VERSION = "SELECT schema_version FROM system.local";

    private static final int ATTEMPTS = 3;

    /** Generous: a busy node takes seconds to hear of a table. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(50);

    /** The replication of a keyspace, by its class and the number of replicas, in all or by data centre; null if there is none. */
    @Nullable
    Replication replication(CqlIdentifier keyspace) {
        String cql = "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?";
        Row row = query(null, cql, keyspace.asInternal()).one();
        return row == null
                ? null
                : new Replication(Objects.requireNonNull(row.getMap("replication", String.class, String.class)));
    }

    /** A table of the application, null if it is missing. */
    @Nullable
    TableShape table(CqlIdentifier keyspace, CqlIdentifier table) {
        TableShape shown = table(keyspace, table, null);
        return shown != null ? shown : agreed(keyspace, table);
    }

    /** One of ours, null if it is missing. */
    @Nullable
    TableShape table(TableDefinition definition) {
        TableShape shown = table(definition.keyspace(), definition.table(), null);
        return shown != null && shown.differencesFrom(definition.shape()).isEmpty()
                ? shown
                : agreed(definition.keyspace(), definition.table());
    }

    /**
     * A table as all nodes show it that can be asked. Each shows its own copy of the schema, at whatever consistency it is
     * read, and may hear late of what was made a moment ago.
     */
    @Nullable
    TableShape agreed(CqlIdentifier keyspace, CqlIdentifier table) {
        return sameOnAllNodes(node -> Optional.ofNullable(table(keyspace, table, node)))
                .orElse(null);
    }

    /**
     * Waits until each node that can be asked serves what it shows. A node keeps the rows of a new table first, opens the
     * table a moment later, and then changes the version of its schema.
     *
     * @throws InvalidConfigurationException if they do not come to one version
     */
    void awaitOneVersion() {
        var unused = sameOnAllNodes(
                node -> Optional.ofNullable(query(node, VERSION).one()).map(row -> row.getUuid("schema_version")));
    }

    /** Waits until a table that a node lists is served by all nodes: each lists it first, and opens it a moment later. */
    void awaitServed(TableDefinition table) {
        long start = System.nanoTime();
        while (true) {
            try {
                var unused = session.prepare("SELECT * FROM " + table.qualifiedName());
                awaitOneVersion();
                return;
            } catch (RuntimeException notYet) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw notYet;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private <T> Optional<T> sameOnAllNodes(Function<@Nullable Node, Optional<T>> shows) {
        long start = System.nanoTime();
        while (true) {
            Set<Optional<T>> shown = new HashSet<>();
            for (Node node : session.getMetadata().getNodes().values()) {
                if (node.getState() == NodeState.UP && node.getDistance() != NodeDistance.IGNORED) {
                    try {
                        shown.add(shows.apply(node));
                    } catch (RuntimeException failure) {
                        if (WriteFailures.ofPlain(failure) == FailureKind.WRONG_STATEMENT) {
                            throw failure;
                        } // Otherwise it is away: an application must start all the same.
                    }
                }
            }
            if (shown.isEmpty()) {
                return shows.apply(null);
            }
            if (shown.size() == 1) {
                return shown.iterator().next();
            }
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw noAgreement();
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    static InvalidConfigurationException noAgreement() {
        return new InvalidConfigurationException(
                "surewrite.schema",
                "The nodes of the cluster do not agree on the schema after tables were created.",
                "See `nodetool describecluster`; start again once all nodes show one schema version. Where several"
                        + " instances start together, run the DDL beforehand and set surewrite.schema.initialize=never.",
                PAGE);
    }

    private @Nullable TableShape table(CqlIdentifier keyspace, CqlIdentifier table, @Nullable Node node) {
        Row row = query(node, TABLE, keyspace.asInternal(), table.asInternal()).one();
        if (row == null) {
            return null;
        }
        Map<String, String> columns = new LinkedHashMap<>();
        SortedMap<Integer, String> partitionKey = new TreeMap<>();
        SortedMap<Integer, String> clusteringColumns = new TreeMap<>();
        ResultSet described = query(node, COLUMNS, keyspace.asInternal(), table.asInternal());
        for (Row column : described) {
            String name = column.getString("column_name");
            columns.put(name, column.getString("type"));
            switch (column.getString("kind")) {
                case "partition_key" -> partitionKey.put(column.getInt("position"), name);
                case "clustering" -> clusteringColumns.put(column.getInt("position"), name);
                default -> {} // a plain or a static column
            }
        }
        String primaryKey = TableShape.primaryKey(partitionKey.values(), clusteringColumns.values());
        return new TableShape(columns, primaryKey, row.getInt("default_time_to_live"));
    }

    /** Asks again when a node does not answer, since an application must start also while one is away: the next is asked. */
    private ResultSet query(@Nullable Node node, String cql, Object... values) {
        SimpleStatement query = SimpleStatement.newInstance(cql, values)
                .setConsistencyLevel(ConsistencyLevel.ONE)
                .setNode(node)
                .setIdempotent(true);
        int attempts = node == null ? ATTEMPTS : 1;
        for (int attempt = 1; ; attempt++) {
            try {
                return session.execute(query);
            } catch (RuntimeException failure) {
                if (attempt == attempts || WriteFailures.ofPlain(failure) == FailureKind.WRONG_STATEMENT) {
                    throw failure;
                }
            }
        }
    }
}
