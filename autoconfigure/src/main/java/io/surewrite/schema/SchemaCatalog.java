package io.surewrite.schema;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteFailures;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What exists, read from the server itself: the driver's copy of the schema may be switched off, filtered or behind.
 */
final class SchemaCatalog {

    private static final int ATTEMPTS = 3;

    private final CqlSession session;

    SchemaCatalog(CqlSession session) {
        this.session = session;
    }

    boolean hasKeyspace(CqlIdentifier keyspace) {
        return keyspaceRow(keyspace) != null;
    }

    /** The replication of a keyspace that exists: its class, and the number of replicas in all or by data centre. */
    Replication replication(CqlIdentifier keyspace) {
        Row row = Objects.requireNonNull(keyspaceRow(keyspace));
        return new Replication(Objects.requireNonNull(row.getMap("replication", String.class, String.class)));
    }

    private @Nullable Row keyspaceRow(CqlIdentifier keyspace) {
        return query("SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?", keyspace.asInternal())
                .one();
    }

    @Nullable
    TableShape table(CqlIdentifier keyspace, CqlIdentifier table) {
        Row row = query("""
                        SELECT default_time_to_live FROM system_schema.tables
                        WHERE keyspace_name = ? AND table_name = ?""", keyspace.asInternal(), table.asInternal()).one();
        if (row == null) {
            return null;
        }
        Map<String, String> columns = new LinkedHashMap<>();
        SortedMap<Integer, String> partitionKey = new TreeMap<>();
        SortedMap<Integer, String> clusteringColumns = new TreeMap<>();
        ResultSet described = query("""
                SELECT column_name, kind, position, type FROM system_schema.columns
                WHERE keyspace_name = ? AND table_name = ?""", keyspace.asInternal(), table.asInternal());
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
