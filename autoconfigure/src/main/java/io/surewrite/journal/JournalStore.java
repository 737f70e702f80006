package io.surewrite.journal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.SentWrites;
import io.surewrite.cql.WriteScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/**
 * The two tables. In {@code journal} a partition is a bucket of an entity: its entries, and the ones in effect when it
 * began, carried over. In {@code journal_state} a partition is an entity: its newest entries and the list of its buckets.
 *
 * <p>Every cell's timestamp is the entry's instant in microseconds, so that late and repeated writes change nothing.
 */
final class JournalStore {

    private static final int CHUNK = 100;
    private static final String ATTRIBUTE = "a";
    private static final String BUCKET = "b";

    /** An entry as it is stored. */
    record Stored(String attribute, long micros, String value) {}

    private final CqlOperations operations;
    private final ConsistencyLevel consistency;
    private final PreparedStatement insert;
    private final PreparedStatement setState;
    private final PreparedStatement selectState;
    private final PreparedStatement newest;
    private final PreparedStatement count;
    private final PreparedStatement history;

    JournalStore(
            CqlSession session, CqlOperations operations, String journal, String state, ConsistencyLevel consistency) {
        this.operations = operations;
        this.consistency = consistency;
        this.insert = session.prepare("""
                INSERT INTO %s (entity, bucket, attribute, at, value) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?""".formatted(journal));
        this.setState = session.prepare("""
                INSERT INTO %s (entity, kind, name, at, value) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?""".formatted(state));
        this.selectState =
                session.prepare("SELECT name, at, value FROM %s WHERE entity = ? AND kind = ?".formatted(state));
        // The newest of each attribute comes first in its group; the filter stays within the partition.
        this.newest = session.prepare("""
                SELECT attribute, at, value FROM %s WHERE entity = ? AND bucket = ? AND at <= ?
                GROUP BY entity, bucket, attribute ALLOW FILTERING""".formatted(journal));
        this.count = session.prepare("SELECT COUNT(*) FROM %s WHERE entity = ? AND bucket = ?".formatted(journal));
        this.history = session.prepare("""
                SELECT attribute, at, value FROM %s WHERE entity = ? AND bucket = ? AND attribute = ?
                AND at >= ? AND at < ? ORDER BY attribute ASC, at DESC LIMIT ?""".formatted(journal));
    }

    /** Adds entries, to their bucket and to the state, both or none. */
    void add(String entity, String bucket, Collection<Stored> entries) {
        BatchStatementBuilder batch = BatchStatement.builder(BatchType.LOGGED);
        for (Stored entry : entries) {
            batch.addStatement(insert(entity, bucket, entry));
            batch.addStatement(
                    setState.bind(entity, ATTRIBUTE, entry.attribute(), entry.micros(), entry.value(), entry.micros()));
        }
        write(batch.build());
    }

    /** Adds entries to a bucket alone. */
    void carry(String entity, String bucket, Collection<Stored> entries) {
        List<Stored> all = List.copyOf(entries);
        for (int from = 0; from < all.size(); from += CHUNK) {
            BatchStatementBuilder batch = BatchStatement.builder(BatchType.UNLOGGED);
            all.subList(from, Math.min(from + CHUNK, all.size()))
                    .forEach(entry -> batch.addStatement(insert(entity, bucket, entry)));
            write(batch.build());
        }
    }

    private BoundStatement insert(String entity, String bucket, Stored entry) {
        return insert.bind(entity, bucket, entry.attribute(), entry.micros(), entry.value(), entry.micros());
    }

    List<Stored> state(String entity) {
        List<Stored> entries = new ArrayList<>();
        for (Row row : execute(selectState.bind(entity, ATTRIBUTE))) {
            entries.add(stored(row));
        }
        return entries;
    }

    /** The entity's buckets in order of time, and whether each is complete. */
    NavigableMap<String, Boolean> buckets(String entity) {
        NavigableMap<String, Boolean> buckets = new TreeMap<>();
        for (Row row : execute(selectState.bind(entity, BUCKET))) {
            buckets.put(text(row, 0), row.getLong(1) > 1);
        }
        return buckets;
    }

    /** Lists a bucket; once it was listed as complete it stays so. */
    void listBucket(String entity, String bucket, boolean complete) {
        long rank = complete ? 2 : 1;
        write(setState.bind(entity, BUCKET, bucket, rank, "", rank));
    }

    /** The newest entry of each attribute in a bucket, up to an instant. */
    List<Stored> newest(String entity, String bucket, long micros) {
        List<Stored> entries = new ArrayList<>();
        for (Row row : execute(newest.bind(entity, bucket, micros))) {
            entries.add(stored(row));
        }
        return entries;
    }

    long count(String entity, String bucket) {
        return execute(count.bind(entity, bucket)).iterator().next().getLong(0);
    }

    /** The entries of an attribute in a bucket, newest first. */
    List<Stored> history(String entity, String bucket, String attribute, long from, long before, int size) {
        List<Stored> entries = new ArrayList<>();
        for (Row row : execute(history.bind(entity, bucket, attribute, from, before, size))) {
            entries.add(stored(row));
        }
        return entries;
    }

    /** Not by the backlog, which knows nothing of buckets. */
    private void write(Statement<?> statement) {
        WriteScope scope = WriteScope.current();
        SentWrites sent = scope == null ? null : scope.sent();
        if (sent != null) {
            sent.refuse("it records in the journal, and buckets that begin meanwhile would miss it");
        }
        execute(statement);
    }

    private Iterable<Row> execute(Statement<?> statement) {
        return operations.queryForResultSet(
                statement.setConsistencyLevel(consistency).setIdempotent(true));
    }

    private static Stored stored(Row row) {
        return new Stored(text(row, 0), row.getLong(1), text(row, 2));
    }

    private static String text(Row row, int column) {
        return Objects.requireNonNull(row.getString(column));
    }
}
