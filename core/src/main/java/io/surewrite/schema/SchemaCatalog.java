package io.surewrite.schema;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteFailures;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What exists, read from the server itself: the driver's copy of the schema may be switched off, filtered or behind.
 */
record SchemaCatalog(CqlSession session) {

    static final String PAGE = "schema";

    static final String TABLE = """
            SELECT default_time_to_live FROM system_schema.tables
            WHERE keyspace_name = ? AND table_name = ?""";

    static final String COLUMNS = """
            SELECT column_name, kind, position, type FROM system_schema.columns
            WHERE keyspace_name = ? AND table_name = ?""";

    private static final int ATTEMPTS = 3;

    /** Generous: a busy node learns of a table after seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(50);

    @Nullable
    Replication replication(CqlIdentifier keyspace) {
        String cql = "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?";
        Row row = query(cql, keyspace.asInternal()).one();
        return row == null
                ? null
                : new Replication(Objects.requireNonNull(row.getMap("replication", String.class, String.class)));
    }

    /**
     * One of ours, null if it is missing. What is not as it should be is read again once the nodes agree: one of them may
     * learn late of a change.
     */
    @Nullable
    TableShape table(TableDefinition definition) {
        TableShape shown = shown(definition);
        if (shown != null && shown.differencesFrom(definition.shape()).isEmpty()) {
            return shown;
        }
        var unused = session.checkSchemaAgreement();
        return shown(definition);
    }

    /** Waits until a table that a node lists is served: it lists it first, and opens it a moment later. */
    void awaitServed(TableDefinition table) {
        long start = System.nanoTime();
        while (true) {
            try {
                var unused = session.prepare("SELECT * FROM " + table.qualifiedName());
                return;
            } catch (RuntimeException notYet) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw notYet;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** As one node shows it. */
    @Nullable
    TableShape shown(TableDefinition definition) {
        String keyspace = definition.keyspace().asInternal();
        String table = definition.table().asInternal();
        Row row = query(TABLE, keyspace, table).one();
        if (row == null) {
            return null;
        }
        Map<String, String> columns = new LinkedHashMap<>();
        SortedMap<Integer, String> partitionKey = new TreeMap<>();
        SortedMap<Integer, String> clusteringColumns = new TreeMap<>();
        ResultSet described = query(COLUMNS, keyspace, table);
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
    private ResultSet query(String cql, Object... values) {
        SimpleStatement query = SimpleStatement.newInstance(cql, values)
                .setConsistencyLevel(ConsistencyLevel.ONE)
                .setIdempotent(true);
        for (int attempt = 1; ; attempt++) {
            try {
                return session.execute(query);
            } catch (RuntimeException failure) {
                if (attempt == ATTEMPTS || WriteFailures.ofPlain(failure) == FailureKind.WRONG_STATEMENT) {
                    throw failure;
                }
            }
        }
    }
}
