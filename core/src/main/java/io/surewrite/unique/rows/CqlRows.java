package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.session.OtherNodes;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.rows.RowStatement;
import io.surewrite.rows.RowTable;
import io.surewrite.rows.TableColumn;
import io.surewrite.rows.TimedRow;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ConstrainedRows;
import io.surewrite.unique.claims.RowSnapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/**
 * The rows of any table that the driver's metadata knows, as its constraints see them: by their canonical primary keys,
 * with the values of constraints. All reads and writes run with the level of the profile for conditional writes, which is
 * a quorum, and never block.
 *
 * @param session sends the requests
 * @param table with all its columns, because a restored row must be whole
 * @param constraints all constraints of the table
 * @param naturalKeys those of them that are on the primary key itself
 * @param rowClaim claims a row itself
 * @param mayMix whether two writes with one timestamp could mix to a value that neither has claimed
 * @param node where requests are sent, or null for any node
 */
public record CqlRows(
        CqlSession session,
        RowTable table,
        List<UniqueConstraint> constraints,
        Set<UniqueConstraint> naturalKeys,
        Optional<UniqueConstraint> rowClaim,
        boolean mayMix,
        @Nullable Node node)
        implements ConstrainedRows {

    /** Hints are kept for three hours by default; a write may come that late, and must find the tombstones it lost to. */
    private static final int MIN_GC_GRACE_SECONDS = 4 * 3600;

    /** Stands for a value that was not asked for. */
    private static final ByteBuffer UNREAD = ByteBuffer.allocate(0).asReadOnlyBuffer();

    @Override
    public String name() {
        return table.qualifiedName();
    }

    // ---- what a table must be like ----

    /**
     * The rows of a table.
     *
     * @param session the session; it stays open
     * @param metadata the table
     * @param constraints its constraints, on columns that it has
     * @return the rows
     * @throws IllegalArgumentException if the table cannot have these constraints; the message says why
     * @see #problems()
     */
    public static CqlRows of(CqlSession session, TableMetadata metadata, List<UniqueConstraint> constraints) {
        String mistake = mistake(metadata, constraints);
        if (mistake != null) {
            throw new IllegalArgumentException(mistake);
        }
        List<CqlIdentifier> key =
                metadata.getPrimaryKey().stream().map(ColumnMetadata::getName).toList();
        Set<UniqueConstraint> naturalKeys = constraints.stream()
                .filter(constraint ->
                        columns(constraint).collect(Collectors.toSet()).equals(Set.copyOf(key)))
                .collect(Collectors.toUnmodifiableSet());
        UniqueConstraint rowClaim = UniqueConstraint.on(
                "row of %s.%s"
                        .formatted(
                                metadata.getKeyspace().asInternal(),
                                metadata.getName().asInternal()),
                key.stream().map(CqlIdentifier::asInternal).toArray(String[]::new));
        return new CqlRows(
                ConditionalProfile.DEFAULT.on(session),
                RowTable.of(session.getContext(), metadata),
                List.copyOf(constraints),
                naturalKeys,
                naturalKeys.isEmpty() ? Optional.of(rowClaim) : Optional.empty(),
                constraints.stream()
                        .anyMatch(constraint -> columns(constraint)
                                        .distinct()
                                        .filter(column -> !key.contains(column))
                                        .count()
                                > 1),
                null);
    }

    private static Stream<CqlIdentifier> columns(UniqueConstraint constraint) {
        return constraint.components().stream().map(UniqueComponent::column);
    }

    private static @Nullable String mistake(TableMetadata table, List<UniqueConstraint> constraints) {
        String name = table.getName().asCql(true);
        for (ColumnMetadata column : table.getColumns().values()) {
            if (column.getType().equals(DataTypes.COUNTER)) {
                return "The table %s holds counters: they cannot be written again, so it can have no unique constraint"
                        .formatted(name);
            }
            if (TableColumn.isMultiCell(column.getType())) {
                return "The column %s of table %s is a collection or type that is not frozen: a row with it cannot be restored, so the table can have no unique constraint. Freeze it, or move it to a table of its own"
                        .formatted(column.getName().asCql(true), name);
            }
        }
        for (UniqueConstraint constraint : constraints) {
            for (UniqueComponent component : constraint.components()) {
                ColumnMetadata found = table.getColumns().get(component.column());
                if (found == null || found.isStatic()) {
                    return "The unique constraint '%s' names %s, which is %s of table %s"
                            .formatted(
                                    constraint.name(),
                                    component.column().asCql(true),
                                    found == null ? "no column" : "a static column",
                                    name);
                }
            }
        }
        return null;
    }

    /**
     * {@return what in the table's options endangers the guarantee, a sentence each; empty if nothing does}
     */
    public List<String> problems() {
        return problems(table.metadata());
    }

    private static List<String> problems(TableMetadata table) {
        List<String> problems = new ArrayList<>();
        String name = table.getName().asCql(true);
        Object readRepair = option(table, "read_repair");
        if (readRepair != null
                && !readRepair.toString().toUpperCase(Locale.ROOT).equals("BLOCKING")) {
            problems.add(
                    "The table %s has read_repair = '%s': what one read has shown the next one may not show. Fix: ALTER TABLE %s WITH read_repair = 'BLOCKING'"
                            .formatted(name, readRepair, name));
        }
        if (option(table, "gc_grace_seconds") instanceof Number grace && grace.longValue() < MIN_GC_GRACE_SECONDS) {
            problems.add(
                    "The table %s has gc_grace_seconds = %d: a write that comes late may find the tombstone gone that it lost to. Fix: ALTER TABLE %s WITH gc_grace_seconds = 864000"
                            .formatted(name, grace.longValue(), name));
        }
        return problems;
    }

    /**
     * What makes a table unfit for constraints, or endangers their guarantee.
     *
     * @param table as it is now
     * @param constraints its constraints
     * @return a sentence each; empty if nothing does
     */
    public static List<String> problems(TableMetadata table, List<UniqueConstraint> constraints) {
        String mistake = mistake(table, constraints);
        List<String> problems = new ArrayList<>(mistake == null ? problems(table) : List.of(mistake));
        if (option(table, "default_time_to_live") instanceof Number seconds && seconds.intValue() > 0) {
            problems.add(
                    "its rows end by themselves after %d s and leave their claims behind, which whoever wants a value then has to take over"
                            .formatted(seconds.intValue()));
        }
        return problems;
    }

    private static @Nullable Object option(TableMetadata table, String name) {
        return table.getOptions().get(CqlIdentifier.fromInternal(name));
    }

    @Override
    public ConstrainedRows elsewhere(Throwable failure) {
        return new CqlRows(
                session, table, constraints, naturalKeys, rowClaim, mayMix, OtherNodes.than(failure, session));
    }

    @Override
    public boolean isNaturalKey(UniqueConstraint constraint) {
        return !naturalKeys.isEmpty() && naturalKeys.contains(constraint);
    }

    // ---- primary keys and values ----

    /**
     * The canonical primary key of a row.
     *
     * @param columns at least the columns of the primary key, with any values that a codec of the session takes
     * @return the key
     * @throws InvalidDataAccessApiUsageException if a part of it is missing
     */
    public String owner(Map<CqlIdentifier, ? extends @Nullable Object> columns) {
        return owner((TableColumn column) -> {
            Object value = columns.get(column.name());
            return value == null ? null : table.encoded(column, value);
        });
    }

    String owner(Function<TableColumn, @Nullable ByteBuffer> bytesOf) {
        List<@Nullable String> parts = new ArrayList<>();
        for (TableColumn column : table.primaryKey()) {
            ByteBuffer bytes = bytesOf.apply(column);
            if (bytes == null) {
                throw new InvalidDataAccessApiUsageException(
                        "No value for %s of the primary key of %s".formatted(column.cql(), table.qualifiedName()));
            }
            parts.add(KeyText.of(column.type(), bytes));
        }
        return new UniqueValue(parts, parts).encoded();
    }

    /**
     * Reads what {@link #owner} made.
     *
     * @param owner a canonical primary key
     * @return the columns of the primary key, with values of the driver's default types
     */
    public Map<CqlIdentifier, Object> key(String owner) {
        TimedRow bytes = keyOf(owner);
        Map<CqlIdentifier, Object> key = new LinkedHashMap<>();
        for (TableColumn column : table.primaryKey()) {
            ByteBuffer part = bytes.get(column);
            Object value = part == null ? null : table.decoded(column, part);
            if (value != null) {
                key.put(column.name(), value);
            }
        }
        return key;
    }

    private TimedRow keyOf(String owner) {
        List<@Nullable String> parts = UniqueValue.decode(owner).parts();
        TimedRow key = new TimedRow();
        for (int i = 0; i < table.primaryKey().size(); i++) {
            TableColumn column = table.primaryKey().get(i);
            String part = i < parts.size() ? parts.get(i) : null;
            if (part == null) {
                throw new IllegalArgumentException("Not a primary key of " + table.qualifiedName());
            }
            key.put(column, KeyText.bytes(column.type(), part));
        }
        return key;
    }

    /** The value of a constraint that a row has or will have, exactly as a later read will show it. */
    UniqueValue value(UniqueConstraint constraint, Function<TableColumn, @Nullable ByteBuffer> bytesOf) {
        List<@Nullable Object> values = new ArrayList<>();
        for (UniqueComponent component : constraint.components()) {
            TableColumn column = table.column(component.column());
            ByteBuffer bytes = bytesOf.apply(column);
            Object value = bytes == null ? null : table.decoded(column, bytes);
            for (CqlIdentifier field : component.fields()) {
                value = value instanceof UdtValue udt ? udt.getObject(field) : null;
            }
            values.add(value);
        }
        return constraint.value(values);
    }

    // ---- one row ----

    @Override
    public CompletionStage<RowSnapshot> read(String owner) {
        return read(owner, false);
    }

    @Override
    public CompletionStage<RowSnapshot> readToRestore(String owner) {
        return read(owner, true);
    }

    private CompletionStage<RowSnapshot> read(String owner, boolean toRestore) {
        RowStatement select = table.statement(
                toRestore ? "readToRestore" : "read", () -> statement().selectCells(toRestore));
        return send(select, keyOf(owner)).thenApply(answer -> snapshot(owner, answer.one(), toRestore));
    }

    private Snapshot snapshot(String owner, @Nullable Row row, boolean toRestore) {
        Map<CqlIdentifier, ReadCell> cells = new LinkedHashMap<>();
        if (row != null) {
            int at = 0;
            for (TableColumn column : table.cells()) {
                ByteBuffer bytes = row.getBytesUnsafe(at);
                if (bytes != null) {
                    int secondsToLive = toRestore ? row.getInt(at + 2) : 0;
                    cells.put(column.name(), new ReadCell(column, bytes, row.getLong(at + 1), secondsToLive));
                }
                at += toRestore ? 3 : 2;
            }
        }
        return new Snapshot(this, owner, row != null, toRestore, cells);
    }

    @Override
    public CompletionStage<Void> delete(String owner, long timestamp) {
        return send(deleteStatement(), keyOf(owner).at(timestamp, null)).thenAccept(done -> {});
    }

    /** Deletes a row at the timestamp itself. */
    RowStatement deleteStatement() {
        return table.statement("delete", () -> statement().deleteRow());
    }

    @Override
    public CompletionStage<Void> restore(RowSnapshot row, long timestamp) {
        Snapshot read = (Snapshot) row;
        Map<RowStatement, TimedRow> parts = new LinkedHashMap<>();
        read.cellsByTimeToLive().forEach((seconds, cells) -> {
            TimedRow values = keyOf(row.owner());
            cells.forEach(cell -> values.put(cell.column(), cell.bytes()));
            List<TableColumn> columns = cells.stream().map(ReadCell::column).toList();
            parts.put(
                    table.statement(
                            Map.entry("update", columns), () -> statement().update(columns)),
                    values.at(timestamp, seconds));
        });
        List<TableColumn> nulls = table.columns(
                column -> column.role() == TableColumn.Role.CELL && !read.cells.containsKey(column.name()));
        if (!nulls.isEmpty()) {
            parts.put(
                    table.statement(
                            Map.entry("delete", nulls), () -> statement().deleteBefore(nulls, table.primaryKey())),
                    keyOf(row.owner()).at(timestamp, null));
        }
        // All of one partition: one mutation, atomic and isolated.
        return CompletableFuture.allOf(parts.keySet().stream()
                        .map(part -> part.prepare(session::prepareAsync).toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new))
                .thenCompose(all -> {
                    List<BatchableStatement<?>> bound = new ArrayList<>();
                    parts.forEach((statement, values) -> bound.add(statement.bind(values)));
                    return session.executeAsync(configured(
                            BatchStatement.newInstance(BatchType.UNLOGGED).addAll(bound)));
                })
                .thenAccept(done -> {});
    }

    private RowStatement.Builder statement() {
        return new RowStatement.Builder(table);
    }

    /** Sends a statement on a row of the table at the level of the profile for conditional writes. */
    CompletionStage<AsyncResultSet> send(RowStatement statement, TimedRow row) {
        return statement
                .prepare(session::prepareAsync)
                .thenCompose(prepared -> session.executeAsync(configured(statement.bind(row))));
    }

    private Statement<?> configured(Statement<?> statement) {
        return statement
                .setExecutionProfileName(ConditionalWrites.PROFILE)
                .setIdempotent(true)
                .setNode(node);
    }

    // ---- many rows ----

    /**
     * Asks for the rows of a range of tokens, as far as a constraint is concerned.
     *
     * @param constraint one of the constraints
     * @param after the first token is greater than this
     * @param upto the last token
     * @param pageSize how many rows a page has
     * @return the query, for {@link #scanned}
     */
    public CompletionStage<Statement<?>> selectRange(UniqueConstraint constraint, long after, long upto, int pageSize) {
        Stream<String> selected = Stream.concat(table.primaryKey().stream(), wanted(constraint).stream())
                .map(TableColumn::cql);
        Stream<String> written = table.cells().stream().map(column -> "WRITETIME(%s)".formatted(column.cql()));
        String token =
                table.partitionKey().stream().map(TableColumn::cql).collect(Collectors.joining(", ", "token(", ")"));
        String text = "SELECT %s FROM %s WHERE %s > :after AND %s <= :upto"
                .formatted(
                        Stream.concat(selected, written).collect(Collectors.joining(", ")),
                        table.qualifiedName(),
                        token,
                        token);
        return table.statement(text, () -> statement().text(text))
                .prepare(session::prepareAsync)
                .thenApply(prepared -> configured(prepared.boundStatementBuilder()
                        .setLong("after", after)
                        .setLong("upto", upto)
                        .setPageSize(pageSize)
                        .build()));
    }

    private List<TableColumn> wanted(UniqueConstraint constraint) {
        return columns(constraint)
                .map(table::column)
                .filter(column -> !column.role().isKey())
                .distinct()
                .toList();
    }

    /**
     * Reads the rows of {@link #selectRange}.
     *
     * @param constraint the same
     * @return tells what a row shows, of this constraint alone: the row may be another one by now. Empty for what is left
     *     of a partition that has static columns alone.
     */
    public Function<Row, Optional<RowSnapshot>> scanned(UniqueConstraint constraint) {
        List<TableColumn> wanted = wanted(constraint);
        return row -> {
            TimedRow read = new TimedRow();
            int at = 0;
            for (TableColumn column : table.primaryKey()) {
                ByteBuffer bytes = row.getBytesUnsafe(at++);
                if (bytes == null) {
                    return Optional.empty();
                }
                read.put(column, bytes);
            }
            for (TableColumn column : wanted) {
                ByteBuffer bytes = row.getBytesUnsafe(at++);
                read.put(column, bytes == null ? UNREAD : bytes);
            }
            Map<CqlIdentifier, ReadCell> cells = new LinkedHashMap<>();
            for (TableColumn column : table.cells()) {
                if (!row.isNull(at)) {
                    ByteBuffer bytes = read.get(column);
                    cells.put(column.name(), new ReadCell(column, bytes == null ? UNREAD : bytes, row.getLong(at), 0));
                }
                at++;
            }
            return Optional.of(new Snapshot(this, owner(read::get), true, false, cells));
        };
    }

    /**
     * A cell that is not null.
     *
     * @param column the column
     * @param bytes its value, encoded
     * @param writtenAt its write timestamp
     * @param secondsToLive what is left of its time to live; 0 if it has none or was not asked for
     */
    private record ReadCell(TableColumn column, ByteBuffer bytes, long writtenAt, int secondsToLive) {}

    /** A row as a query showed it, encoded, with timestamps, and with times to live if it is to be restored. */
    private record Snapshot(
            CqlRows rows, String owner, boolean exists, boolean toRestore, Map<CqlIdentifier, ReadCell> cells)
            implements RowSnapshot {

        @Override
        public long newestWrite() {
            return cells.values().stream().mapToLong(ReadCell::writtenAt).max().orElse(NEVER);
        }

        @Override
        public UniqueValue value(UniqueConstraint constraint) {
            return rows.value(constraint, column -> {
                ReadCell cell = cells.get(column.name());
                if (cell != null) {
                    return cell.bytes();
                }
                return exists && column.role().isKey() ? rows.keyOf(owner).get(column) : null;
            });
        }

        @Override
        public long writtenAt(UniqueConstraint constraint, int component) {
            ReadCell cell = cells.get(constraint.components().get(component).column());
            return cell == null ? NEVER : cell.writtenAt();
        }

        Map<Integer, List<ReadCell>> cellsByTimeToLive() {
            if (!toRestore) {
                throw new IllegalStateException("The row was not read to be restored");
            }
            return cells.values().stream()
                    .collect(Collectors.groupingBy(ReadCell::secondsToLive, TreeMap::new, Collectors.toList()));
        }
    }
}
