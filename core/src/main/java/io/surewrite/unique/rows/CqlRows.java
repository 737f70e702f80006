package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.session.OtherNodes;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.rows.RowStatement;
import io.surewrite.rows.RowValues;
import io.surewrite.rows.TableColumn;
import io.surewrite.rows.TableShape;
import io.surewrite.rows.TimedRow;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ConstrainedRows;
import io.surewrite.unique.claims.RowSnapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of any table that the driver's metadata knows. All reads and writes run with the level of the profile for
 * conditional writes, which is a quorum, and never block.
 */
public final class CqlRows implements ConstrainedRows {

    private final CqlSession session;
    private final TableShape table;
    private final RowShape shape;
    private final List<UniqueConstraint> constraints;
    private final Set<UniqueConstraint> naturalKeys;
    private final Optional<UniqueConstraint> rowClaim;
    private final boolean mayMix;
    private final @Nullable Node node;

    private CqlRows(CqlSession session, TableMetadata table, List<UniqueConstraint> constraints) {
        this.session = ConditionalProfile.DEFAULT.on(session);
        this.constraints = List.copyOf(constraints);
        this.table = new TableShape(session.getContext(), table);
        this.shape = new RowShape(this.table);
        Set<CqlIdentifier> key = Set.copyOf(shape.keyNames());
        this.naturalKeys = constraints.stream()
                .filter(constraint -> columns(constraint).equals(key))
                .collect(Collectors.toUnmodifiableSet());
        this.rowClaim = naturalKeys.isEmpty() ? Optional.of(rowClaim(table, shape.keyNames())) : Optional.empty();
        this.mayMix = constraints.stream().anyMatch(constraint -> mayMix(constraint, key));
        this.node = null;
    }

    /** The same rows, with requests to one node, or to any. */
    private CqlRows(CqlRows rows, @Nullable Node node) {
        this.session = rows.session;
        this.table = rows.table;
        this.shape = rows.shape;
        this.constraints = rows.constraints;
        this.naturalKeys = rows.naturalKeys;
        this.rowClaim = rows.rowClaim;
        this.mayMix = rows.mayMix;
        this.node = node;
    }

    @Override
    public ConstrainedRows elsewhere(Throwable failure) {
        return new CqlRows(this, OtherNodes.than(failure, session));
    }

    /** Whether two writes with one timestamp can leave a value of which each has written a part. */
    private static boolean mayMix(UniqueConstraint constraint, Set<CqlIdentifier> key) {
        return columns(constraint).stream()
                        .filter(column -> !key.contains(column))
                        .count()
                > 1;
    }

    private static UniqueConstraint rowClaim(TableMetadata table, List<CqlIdentifier> key) {
        return UniqueConstraint.on(
                "row of %s.%s"
                        .formatted(
                                table.getKeyspace().asInternal(),
                                table.getName().asInternal()),
                key.stream().map(CqlIdentifier::asInternal).toArray(String[]::new));
    }

    /**
     * The rows of a table.
     *
     * @param session the session; it stays open
     * @param table the table
     * @param constraints its constraints, on columns that it has
     * @return the rows
     * @throws IllegalArgumentException if the table cannot have these constraints; the message says why
     * @see #problems()
     */
    public static CqlRows of(CqlSession session, TableMetadata table, List<UniqueConstraint> constraints) {
        String mistake = ConstrainedTables.mistake(table, constraints);
        if (mistake != null) {
            throw new IllegalArgumentException(mistake);
        }
        return new CqlRows(session, table, constraints);
    }

    /**
     * {@return what in the table's options endangers the guarantee, a sentence each; empty if nothing does}
     */
    public List<String> problems() {
        return ConstrainedTables.problems(table.table());
    }

    /**
     * What makes a table unfit for constraints, or endangers their guarantee.
     *
     * @param table as it is now
     * @param constraints its constraints
     * @return a sentence each; empty if nothing does
     */
    public static List<String> problems(TableMetadata table, List<UniqueConstraint> constraints) {
        String mistake = ConstrainedTables.mistake(table, constraints);
        List<String> problems = new ArrayList<>(mistake == null ? ConstrainedTables.problems(table) : List.of(mistake));
        Object ttl = table.getOptions().get(CqlIdentifier.fromInternal("default_time_to_live"));
        if (ttl instanceof Number seconds && seconds.intValue() > 0) {
            problems.add(
                    "its rows end by themselves after %d s and leave their claims behind, which whoever wants a value then has to take over"
                            .formatted(seconds.intValue()));
        }
        return problems;
    }

    @Override
    public List<UniqueConstraint> constraints() {
        return constraints;
    }

    @Override
    public boolean isNaturalKey(UniqueConstraint constraint) {
        return !naturalKeys.isEmpty() && naturalKeys.contains(constraint);
    }

    @Override
    public Optional<UniqueConstraint> rowClaim() {
        return rowClaim;
    }

    @Override
    public boolean mayMix() {
        return mayMix;
    }

    private static Set<CqlIdentifier> columns(UniqueConstraint constraint) {
        return constraint.components().stream().map(UniqueComponent::column).collect(Collectors.toSet());
    }

    /**
     * The canonical primary key of a row.
     *
     * @param columns at least the columns of the primary key, with any values that a codec of the session takes
     * @return the key
     * @throws IllegalArgumentException if a part of it is missing
     */
    public String owner(Map<CqlIdentifier, ? extends @Nullable Object> columns) {
        return shape.owner(columns);
    }

    /**
     * Reads what {@link #owner} made.
     *
     * @param owner a canonical primary key
     * @return the columns of the primary key, with values of the driver's default types
     */
    public Map<CqlIdentifier, Object> key(String owner) {
        return shape.key(owner);
    }

    /**
     * The value of a constraint that a row will have, exactly as a later read will show it.
     *
     * @param constraint one of the constraints
     * @param columns the row's columns, with any values that a codec of the session takes; those missing are null
     * @return the value
     * @throws UnclaimableValueException if it cannot be claimed
     */
    public UniqueValue value(UniqueConstraint constraint, Map<CqlIdentifier, ? extends @Nullable Object> columns) {
        return shape.value(constraint, column -> shape.encoded(column, columns.get(column)));
    }

    /** As {@link #owner}, of columns that are encoded already. */
    String ownerOf(RowValues row) {
        return shape.ownerOf(column -> row.get(table.column(column)));
    }

    /** As {@link #value}, of columns that are encoded already. */
    UniqueValue valueOf(UniqueConstraint constraint, RowValues row) {
        return shape.value(constraint, column -> row.get(table.column(column)));
    }

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
        return send(select, keyed(owner, 0)).thenApply(answer -> new Snapshot(shape, owner, answer.one(), toRestore));
    }

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
        return shape.selectRange(wanted(constraint))
                .prepare(session::prepareAsync)
                .thenApply(statement -> configured(statement
                        .boundStatementBuilder()
                        .setLong("after", after)
                        .setLong("upto", upto)
                        .setPageSize(pageSize)
                        .build()));
    }

    /**
     * Reads the rows of {@link #selectRange}.
     *
     * @param constraint the same
     * @return tells what a row shows
     */
    public Function<Row, ScannedRow> scanned(UniqueConstraint constraint) {
        List<CqlIdentifier> wanted = wanted(constraint);
        return row -> new ScannedRow(shape, wanted, row);
    }

    private List<CqlIdentifier> wanted(UniqueConstraint constraint) {
        return constraint.components().stream()
                .map(UniqueComponent::column)
                .filter(column -> !shape.keyNames().contains(column))
                .distinct()
                .toList();
    }

    @Override
    public CompletionStage<Void> delete(String owner, long timestamp) {
        return send(deleteStatement(), keyed(owner, timestamp)).thenAccept(done -> {});
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
            RowValues values = shape.keyOf(row.owner());
            cells.forEach(cell -> values.put(cell.column(), cell.bytes()));
            List<TableColumn> columns = cells.stream().map(ReadCell::column).toList();
            parts.put(
                    table.statement(
                            Map.entry("update", columns), () -> statement().update(columns)),
                    new TimedRow(values, timestamp, seconds));
        });
        List<TableColumn> nulls = table.columns(
                column -> column.role() == TableColumn.Role.CELL && !read.cells.containsKey(column.name()));
        if (!nulls.isEmpty()) {
            parts.put(
                    table.statement(
                            Map.entry("delete", nulls), () -> statement().deleteBefore(nulls, table.primaryKey())),
                    keyed(row.owner(), timestamp));
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

    private TimedRow keyed(String owner, long timestamp) {
        return new TimedRow(shape.keyOf(owner), timestamp, null);
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

    /**
     * A column that is not null.
     *
     * @param column the column
     * @param bytes its value, encoded
     * @param writtenAt its write timestamp
     * @param secondsToLive what is left of its time to live; 0 if it has none or was not asked for
     */
    private record ReadCell(TableColumn column, ByteBuffer bytes, long writtenAt, int secondsToLive) {}

    /** A row as a query showed it, encoded, with timestamps, and with times to live if it is to be restored. */
    private static final class Snapshot implements RowSnapshot {

        private final RowShape shape;
        private final String owner;
        private final boolean exists;
        private final boolean toRestore;
        private final Map<CqlIdentifier, ReadCell> cells = new LinkedHashMap<>();

        Snapshot(RowShape shape, String owner, @Nullable Row row, boolean toRestore) {
            this.shape = shape;
            this.owner = owner;
            this.exists = row != null;
            this.toRestore = toRestore;
            if (row == null) {
                return;
            }
            int at = 0;
            for (TableColumn column : shape.table().cells()) {
                ByteBuffer bytes = row.getBytesUnsafe(at);
                if (bytes != null) {
                    int secondsToLive = toRestore ? row.getInt(at + 2) : 0;
                    cells.put(column.name(), new ReadCell(column, bytes, row.getLong(at + 1), secondsToLive));
                }
                at += toRestore ? 3 : 2;
            }
        }

        @Override
        public String owner() {
            return owner;
        }

        @Override
        public boolean exists() {
            return exists;
        }

        @Override
        public long newestWrite() {
            return cells.values().stream().mapToLong(ReadCell::writtenAt).max().orElse(NEVER);
        }

        @Override
        public UniqueValue value(UniqueConstraint constraint) {
            return shape.value(constraint, column -> {
                ReadCell cell = cells.get(column);
                if (cell != null) {
                    return cell.bytes();
                }
                return exists && shape.keyNames().contains(column)
                        ? shape.keyOf(owner).get(shape.table().column(column))
                        : null;
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
