package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.servererrors.FunctionFailureException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import com.datastax.oss.protocol.internal.util.Bytes;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Learns from a real server whether a statement may be retried, and knows nothing of our check: it runs the statement
 * twice with one timestamp, then once more after a later write of somebody else, and compares everything in the tables.
 */
final class RetryOracle {

    enum Outcome {
        UNCHANGED,
        CHANGED,
        NOT_EXECUTABLE
    }

    private static final int MOST_WAITS_FOR_TTL = 2;
    private static final long STEP = 1_000;

    /** Statements that may write with timestamps out of order, such as the conditional ones: nothing may remain. */
    private static final Pattern OWN_TIMESTAMP = Pattern.compile("(?i)timestamp|\\bif\\b");

    /** What is in every table before the statement, then what somebody else writes after it. */
    private static final Map<String, List<String>> SEEDS = Map.of(
            "plain",
            List.of(
                    "INSERT INTO plain (pk, ck, shared, v, w) VALUES (1, 2, 'old', 1, 'old')",
                    "INSERT INTO plain (pk, ck, v) VALUES (1, 1, 1)",
                    "UPDATE plain SET v = 99, ts = '2001-01-01T00:00:00Z', shared = 'B' WHERE pk = 1 AND ck = 2",
                    "DELETE FROM plain WHERE pk = 1 AND ck = 1"),
            "colls",
            List.of(
                    "INSERT INTO colls (pk, ck, s, m, l, ld, shared, v) VALUES (1, 2, {'a', 'z'}, {'a': 0, 'z': 0},"
                            + " ['a', 'z', 'a'], [{street: 's', zip: 1}], [7, 1, 8], 1)",
                    "INSERT INTO colls (pk, ck, l) VALUES (1, 1, ['bound', 'x'])",
                    "UPDATE colls SET s = s + {'B'}, m = m + {'a': 9}, l = l + ['a'], shared = [5] + shared, v = 99"
                            + " WHERE pk = 1 AND ck = 2",
                    "DELETE l[0] FROM colls WHERE pk = 1 AND ck = 2",
                    "DELETE FROM colls WHERE pk = 1 AND ck = 1"),
            "expiring",
            List.of(
                    "INSERT INTO expiring (pk, v, s) VALUES (1, 1, {1, 9}) USING TTL 0",
                    "INSERT INTO expiring (pk, v) VALUES (2, 1) USING TTL 0",
                    "UPDATE expiring USING TTL 0 SET v = 99 WHERE pk = 1",
                    "DELETE FROM expiring WHERE pk = 2"),
            "docs",
            List.of(
                    "INSERT INTO docs (id, body, n, tags) VALUES ('a', 'old', 1, {'z'})",
                    "INSERT INTO docs (id, body) VALUES ('b', 'old')",
                    "UPDATE docs SET body = 'B', tags = tags + {'B'} WHERE id = 'a'",
                    "DELETE FROM docs WHERE id = 'b'"),
            "events",
            List.of(
                    "INSERT INTO events (pk, at, what) VALUES (1, 9d8fa120-f6f5-11ea-8080-808080808080, 'old')",
                    "INSERT INTO events (pk, at, what) VALUES (1, 9d8fa121-f6f5-11ea-8080-808080808080, 'old')",
                    "UPDATE events SET what = 'B' WHERE pk = 1 AND at = 9d8fa120-f6f5-11ea-8080-808080808080",
                    "DELETE FROM events WHERE pk = 1 AND at = 9d8fa121-f6f5-11ea-8080-808080808080"),
            "ticks",
            List.of(
                    "INSERT INTO ticks (pk, at, v) VALUES (1, '2019-01-01T00:00:00Z', 1)",
                    "INSERT INTO ticks (pk, at, v) VALUES (1, '2019-01-02T00:00:00Z', 1)",
                    "UPDATE ticks SET v = 99 WHERE pk = 1 AND at = '2019-01-01T00:00:00Z'",
                    "DELETE FROM ticks WHERE pk = 1 AND at = '2019-01-02T00:00:00Z'"),
            "mixedcase",
            List.of(
                    "INSERT INTO \"MixedCase\" (\"Id\", \"now\", key) VALUES (1, 'old', 'old')",
                    "INSERT INTO \"MixedCase\" (\"Id\", \"now\") VALUES (2, 'old')",
                    "UPDATE \"MixedCase\" SET \"now\" = 'B' WHERE \"Id\" = 1",
                    "DELETE FROM \"MixedCase\" WHERE \"Id\" = 2"),
            "hits",
            List.of());

    private final CqlSession session;
    private final Map<CqlIdentifier, TableMetadata> tables;
    private final Map<String, List<String>> seeded = new HashMap<>();

    private long rounds = 1_000;
    private long base;
    private int waits;

    RetryOracle(CqlSession session, CqlIdentifier keyspace) {
        this.session = session;
        this.tables = session.getMetadata().getKeyspace(keyspace).orElseThrow().getTables();
        tables.values().forEach(this::truncate);
    }

    Outcome judge(String cql) {
        List<TableMetadata> touched = tablesIn(cql);
        boolean ownTimestamp = OWN_TIMESTAMP.matcher(cql).find();
        base = ownTimestamp ? 0 : (rounds++ + 1) * STEP;
        if (ownTimestamp) {
            touched.forEach(this::truncate); // slow: later statements with timestamps of ours hide earlier ones
        }
        try {
            return judge(statement(cql), touched);
        } catch (QueryValidationException
                | FunctionFailureException
                | WriteFailureException
                | CodecNotFoundException refusedByTheServer) {
            return Outcome.NOT_EXECUTABLE;
        } catch (ServerError failed) {
            // Some of its checks throw what the server does not expect of them.
            if (String.valueOf(failed.getMessage()).contains("IllegalArgumentException")) {
                return Outcome.NOT_EXECUTABLE;
            }
            throw failed;
        } finally {
            if (ownTimestamp) {
                touched.forEach(this::truncate);
            }
        }
    }

    private Outcome judge(Statement<?> statement, List<TableMetadata> touched) {
        touched.forEach(this::reset);
        session.execute(statement);
        Map<String, Long> expiries = new TreeMap<>();
        List<String> once = dump(touched, expiries);
        if (!expiries.isEmpty() && waits++ >= MOST_WAITS_FOR_TTL) {
            return Outcome.CHANGED; // As seen each time that we had the patience to wait.
        }
        LockSupport.parkNanos(
                expiries.isEmpty() ? TimeUnit.MILLISECONDS.toNanos(1) : TimeUnit.MILLISECONDS.toNanos(2_200));
        // More than once more: of two random values with one timestamp the larger stays, which may be the first.
        for (int again = 0; again < 3; again++) {
            session.execute(statement);
        }
        Map<String, Long> laterExpiries = new TreeMap<>();
        if (!dump(touched, laterExpiries).equals(once) || areLater(laterExpiries, expiries)) {
            return Outcome.CHANGED;
        }
        touched.forEach(table -> seed(table, base + 20, 2, 5));
        List<String> afterOther = dump(touched, laterExpiries);
        session.execute(statement);
        return dump(touched, laterExpiries).equals(afterOther) ? Outcome.UNCHANGED : Outcome.CHANGED;
    }

    /** Without markers it goes as text: a prepared statement computes some values once only. */
    private Statement<?> statement(String cql) {
        PreparedStatement prepared = session.prepare(cql);
        List<Object> values = new ArrayList<>();
        for (ColumnDefinition variable : prepared.getVariableDefinitions()) {
            values.add(BoundValues.of(variable, base + 10));
        }
        Statement<?> statement = values.isEmpty() ? SimpleStatement.newInstance(cql) : prepared.bind(values.toArray());
        return statement.setQueryTimestamp(base + 10);
    }

    private List<TableMetadata> tablesIn(String cql) {
        String text = cql.toLowerCase(Locale.ROOT);
        return tables.values().stream()
                .filter(table -> text.contains(nameOf(table)))
                .toList();
    }

    private static String nameOf(TableMetadata table) {
        return table.getName().asInternal().toLowerCase(Locale.ROOT);
    }

    private void truncate(TableMetadata table) {
        session.execute("TRUNCATE " + table.getName().asCql(true));
    }

    private void reset(TableMetadata table) {
        if (nameOf(table).equals("hits")) {
            return; // Counters have no timestamps of ours; their tests compare one attempt with the next.
        }
        String key = table.getPartitionKey().get(0).getName().asCql(true);
        String name = table.getName().asCql(true);
        for (Row row : session.execute("SELECT DISTINCT " + key + " FROM " + name)) {
            session.execute(SimpleStatement.builder("DELETE FROM " + name + " WHERE " + key + " = ?")
                    .addPositionalValue(row.getObject(0))
                    .setQueryTimestamp(base)
                    .build());
        }
        seed(table, base + 1, 0, 2);
        List<String> rows = session.execute("SELECT * FROM " + name).all().stream()
                .map(Row::getFormattedContents)
                .toList();
        List<String> expected = seeded.computeIfAbsent(name, first -> rows);
        if (!rows.equals(expected)) {
            throw new IllegalStateException("An earlier statement shows through: " + rows + ", not " + expected);
        }
    }

    private void seed(TableMetadata table, long timestamp, int from, int to) {
        SEEDS.get(nameOf(table)).stream()
                .limit(to)
                .skip(from)
                .forEach(cql -> session.execute(SimpleStatement.newInstance(cql).setQueryTimestamp(timestamp)));
    }

    /** Everything in the tables but the times to live, which go to the map as the second in which they end. */
    private List<String> dump(List<TableMetadata> touched, Map<String, Long> expiries) {
        return touched.stream()
                .flatMap(table ->
                        session.execute(dumpQuery(table)).all().stream().map(row -> format(table, row, expiries)))
                .toList();
    }

    private static String dumpQuery(TableMetadata table) {
        Map<CqlIdentifier, ColumnMetadata> values = new LinkedHashMap<>(table.getColumns());
        table.getPrimaryKey().forEach(key -> values.remove(key.getName()));
        String more = nameOf(table).equals("hits")
                ? ""
                : values.keySet().stream()
                        .map(column -> ", writetime(%1$s), ttl(%1$s)".formatted(column.asCql(true)))
                        .collect(Collectors.joining());
        String columns = table.getColumns().keySet().stream()
                .map(column -> column.asCql(true))
                .collect(Collectors.joining(", "));
        return "SELECT " + columns + more + " FROM " + table.getName().asCql(true);
    }

    private static String format(TableMetadata table, Row row, Map<String, Long> expiries) {
        StringBuilder cells = new StringBuilder(nameOf(table));
        for (ColumnDefinition column : row.getColumnDefinitions()) {
            String name = column.getName().asInternal();
            boolean ttl = name.startsWith("ttl(");
            ByteBuffer bytes = row.getBytesUnsafe(column.getName());
            if (!ttl) {
                cells.append(' ').append(name).append('=').append(bytes == null ? null : Bytes.toHexString(bytes));
            } else if (bytes != null) {
                remember(keyOf(table, row) + name, row.getObject(column.getName()), expiries);
            }
        }
        return cells.toString();
    }

    private static String keyOf(TableMetadata table, Row row) {
        return nameOf(table)
                + table.getPrimaryKey().stream()
                        .map(key -> String.valueOf(row.getObject(key.getName())))
                        .toList();
    }

    /** The time to live of a cell, or those of the cells of a collection, as the second when it is over. */
    private static void remember(String cell, Object ttl, Map<String, Long> expiries) {
        long now = Instant.now().getEpochSecond();
        if (ttl instanceof Integer seconds) {
            expiries.put(cell, now + seconds);
        } else {
            ((List<?>) ttl)
                    .stream()
                            .filter(Objects::nonNull)
                            .mapToLong(seconds -> now + (Integer) seconds)
                            .max()
                            .ifPresent(end -> expiries.put(cell, end));
        }
    }

    private static boolean areLater(Map<String, Long> later, Map<String, Long> earlier) {
        return later.entrySet().stream()
                .anyMatch(entry -> entry.getValue() - earlier.getOrDefault(entry.getKey(), 0L) > 1);
    }
}
