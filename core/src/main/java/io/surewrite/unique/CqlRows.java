package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.ContainerType;
import com.datastax.oss.driver.api.core.type.CustomType;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.TupleType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.type.VectorType;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import io.surewrite.internal.compat.WholeFrameCodec;
import io.surewrite.internal.lwt.ConditionalProfile;
import io.surewrite.internal.rows.RowStatement;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TimedRow;
import io.surewrite.unique.UniqueConstraint.UniqueComponent;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.Internal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/** The rows of a table as its constraints see them. The table has all its columns, because a restored row must be whole. */
@Internal
public record CqlRows(
        CqlSession session,
        RowTable table,
        List<UniqueConstraint> constraints,
        Set<CqlIdentifier> constrained,
        Set<UniqueConstraint> naturalKeys,
        String rowClaim,
        boolean mayMix)
        implements ConstrainedRows {

    /** Hints are kept for three hours by default; a write may come that late, and must find the tombstones it lost to. */
    private static final int MIN_GC_GRACE_SECONDS = 4 * 3600;

    /** Tells timestamps and times to live of collections. A release candidate is older than its version. */
    private static final Version SINCE = Objects.requireNonNull(Version.parse("5.0.0-alpha1"));

    /** Stands for a value that was not asked for. */
    private static final ByteBuffer UNREAD = ByteBuffer.allocate(0).asReadOnlyBuffer();

    @Override
    public String name() {
        return table.qualifiedName();
    }

    // ---- what a table must be like ----

    /** The rows of a table; an {@link IllegalArgumentException} says why it cannot have these constraints. */
    public static CqlRows of(CqlSession session, TableMetadata metadata, List<UniqueConstraint> constraints) {
        List<String> mistakes = mistakes(metadata, constraints);
        RowTable table = RowTable.of(session.getContext(), metadata);
        table.multiCells().stream()
                .limit(1)
                .flatMap(column -> mistake(
                        column,
                        session.getMetadata().getNodes().values().stream().map(Node::getCassandraVersion)))
                .forEach(mistakes::add);
        if (!mistakes.isEmpty()) {
            throw new IllegalArgumentException(String.join(". ", mistakes));
        }
        List<CqlIdentifier> key =
                metadata.getPrimaryKey().stream().map(ColumnMetadata::getName).toList();
        Set<UniqueConstraint> naturalKeys = constraints.stream()
                .filter(constraint ->
                        columns(constraint).collect(Collectors.toSet()).equals(Set.copyOf(key)))
                .collect(Collectors.toUnmodifiableSet());
        String rowClaim = "row of %s.%s"
                .formatted(
                        metadata.getKeyspace().asInternal(), metadata.getName().asInternal());
        return new CqlRows(
                ConditionalProfile.DEFAULT.on(session),
                table,
                List.copyOf(constraints),
                constraints.stream().flatMap(CqlRows::columns).collect(Collectors.toUnmodifiableSet()),
                naturalKeys,
                rowClaim,
                constraints.stream()
                        .anyMatch(constraint -> columns(constraint)
                                        .distinct()
                                        .filter(column -> !key.contains(column))
                                        .count()
                                > 1));
    }

    static Stream<CqlIdentifier> columns(UniqueConstraint constraint) {
        return constraint.components().stream().map(UniqueComponent::column);
    }

    private static List<String> mistakes(TableMetadata table, List<UniqueConstraint> constraints) {
        List<String> mistakes = new ArrayList<>();
        String name = table.getName().asCql(true);
        for (ColumnMetadata column : table.getColumns().values()) {
            if (column.getType().equals(DataTypes.COUNTER)) {
                mistakes.add(
                        "The table %s holds counters: they cannot be written again, so it can have no unique constraint"
                                .formatted(name));
            } else if (column.getType() instanceof ListType list && !list.isFrozen()) {
                mistakes.add(
                        "The column %s of table %s is a list that is not frozen: the server makes new cells whenever a write of it is repeated, which doubles its elements, so the table can have no unique constraint. Use a set, or a frozen list, or move it to a table of its own"
                                .formatted(column.getName().asCql(true), name));
            } else if (column.isStatic() && TableColumn.isMultiCell(column.getType())) {
                mistakes.add(
                        "The static column %s of table %s is a collection or type that is not frozen: the rows of a partition share it, and what their writers write at one timestamp would unite, so the table can have no unique constraint. Freeze it, or move it to a table of its own"
                                .formatted(column.getName().asCql(true), name));
            }
        }
        for (ColumnMetadata column : table.getPrimaryKey()) {
            DataType type = column.getType();
            if (type.getProtocolCode() >= ProtocolConstants.DataType.LIST || type instanceof VectorType) {
                mistakes.add(
                        "The column %s of the primary key of table %s is a %s: one key has several encodings, so the table can have no unique constraint. Make its key of columns of simple types"
                                .formatted(column.getName().asCql(true), name, type.asCql(true, true)));
            }
        }
        for (UniqueConstraint constraint : constraints) {
            for (UniqueComponent component : constraint.components()) {
                String mistake = mistake(table, component.column());
                if (mistake != null) {
                    mistakes.add("In the unique constraint '%s', '%s' %s"
                            .formatted(constraint.name(), component.property(), mistake));
                }
            }
        }
        Object readRepair = option(table, "read_repair");
        if (readRepair != null && !readRepair.toString().equalsIgnoreCase("BLOCKING")) {
            mistakes.add(
                    "The table %s has read_repair = '%s': what one read has shown the next one may not show. Fix: ALTER TABLE %s WITH read_repair = 'BLOCKING'"
                            .formatted(name, readRepair, name));
        }
        if (option(table, "gc_grace_seconds") instanceof Number grace && grace.longValue() < MIN_GC_GRACE_SECONDS) {
            mistakes.add(
                    "The table %s has gc_grace_seconds = %d: a write that comes late may find the tombstone gone that it lost to. Fix: ALTER TABLE %s WITH gc_grace_seconds = 864000"
                            .formatted(name, grace.longValue(), name));
        }
        return mistakes;
    }

    /** Why no value of a column can be unique. */
    private static @Nullable String mistake(TableMetadata table, CqlIdentifier name) {
        ColumnMetadata column = table.getColumns().get(name);
        if (column == null || column.isStatic()) {
            String problem = column == null ? "is missing in %s. Add %s" : "is a static column of %s. Do not use %s";
            return problem.formatted(table.getName().asCql(true), name.asCql(true));
        }
        DataType type = column.getType();
        if (type instanceof UserDefinedType) {
            return "is a user-defined type. Put what is unique in it into a column of its own, and name that";
        }
        if (type instanceof ContainerType || type instanceof MapType) {
            return "is a collection: only single values can be unique. Give each element a row of its own, or claim the elements by UniqueGuard.claim";
        }
        if (type instanceof TupleType
                || type instanceof CustomType
                || type.equals(DataTypes.DURATION)
                || type.equals(DataTypes.COUNTER)) {
            return "has the type %s, which has no comparable form. Store its parts, or a text, in columns of their own and name those"
                    .formatted(type.asCql(false, true));
        }
        return null;
    }

    /** What servers cannot tell of a column with several cells. */
    static Stream<String> mistake(TableColumn column, Stream<@Nullable Version> versions) {
        return versions.filter(version -> version != null && version.compareTo(SINCE) < 0)
                .limit(1)
                .map(version ->
                        "The column %s is a collection or type that is not frozen, and a node runs Cassandra %s, which has no WRITETIME and TTL of it: a row with it cannot be restored, so the table can have no unique constraint. Upgrade all nodes to 5.0, or freeze the column, or move it to a table of its own"
                                .formatted(column.cql(), version));
    }

    /** What makes a table unfit for constraints, or endangers their guarantee. */
    public static List<String> problems(TableMetadata table, List<UniqueConstraint> constraints) {
        List<String> problems = mistakes(table, constraints);
        if (RowTable.secondsToLive(table) > 0) {
            problems.add(
                    "its rows end by themselves after %d s and leave their claims behind, which whoever wants a value then has to take over"
                            .formatted(RowTable.secondsToLive(table)));
        }
        return problems;
    }

    private static @Nullable Object option(TableMetadata table, String name) {
        return table.getOptions().get(CqlIdentifier.fromInternal(name));
    }

    @Override
    public boolean isNaturalKey(UniqueConstraint constraint) {
        return !naturalKeys.isEmpty() && naturalKeys.contains(constraint);
    }

    // ---- primary keys and values ----

    /** The canonical primary key of a row, of values that codecs of the session take. */
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
            parts.add(KeyText.of(column, bytes));
        }
        return new UniqueValue(parts).encoded();
    }

    /** Reads what {@link #owner} made. */
    public Map<String, Object> namedKey(String owner) {
        TimedRow bytes = keyOf(owner);
        Map<String, Object> key = new LinkedHashMap<>();
        for (TableColumn column : table.primaryKey()) {
            ByteBuffer part = bytes.get(column);
            Object value = part == null ? null : table.decoded(column, part);
            if (value != null) {
                key.put(column.name().asInternal(), value);
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
            values.add(bytes == null ? null : table.decoded(column, bytes));
        }
        return constraint.value(values);
    }

    /** The value that a row has; null if it cannot be claimed, as that of a row may be that was there before the constraint. */
    private @Nullable UniqueValue shown(
            UniqueConstraint constraint, Function<TableColumn, @Nullable ByteBuffer> bytesOf) {
        try {
            return value(constraint, bytesOf);
        } catch (RuntimeException unclaimable) { // too long, say, or what a normaliser throws
            return null;
        }
    }

    private Optional<UniqueValue> claimable(
            UniqueConstraint constraint, Function<TableColumn, @Nullable ByteBuffer> bytesOf) {
        return Optional.ofNullable(shown(constraint, bytesOf)).filter(constraint::claims);
    }

    /** Values as reads show them, of what writes may be given: the same value has several Java types. */
    public List<@Nullable Object> stored(UniqueConstraint constraint, List<? extends @Nullable Object> values) {
        List<@Nullable Object> stored = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            // Texts stay as they are: encoded, half of a surrogate pair would become a question mark.
            stored.add(
                    value == null
                                    || value instanceof CharSequence
                                    || i >= constraint.components().size()
                            ? value
                            : stored(constraint.components().get(i), value));
        }
        return stored;
    }

    private @Nullable Object stored(UniqueComponent component, Object value) {
        TableColumn column = table.column(component.column());
        ByteBuffer written;
        try {
            written = table.encoded(column, value);
        } catch (RuntimeException none) {
            return value; // no codec takes it, such as an Integer for a bigint: its canonical form is compared
        }
        return written == null ? null : table.decoded(column, written);
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
                toRestore ? "readToRestore" : "read", () -> statement().select(cells(toRestore)));
        // Read by position, and decoded by the types of the table as it is known here.
        return sent(select.prepare(this::withoutColumns).thenApply(prepared -> select.bind(keyOf(owner))))
                .thenApply(answer -> snapshot(owner, answer.one(), 0, toRestore));
    }

    private CompletionStage<PreparedStatement> withoutColumns(String query) {
        return session.prepareAsync(query).thenApply(made -> WholeFrameCodec.withoutColumns(session, made));
    }

    /** Reads a row with all its columns; empty if there is none that has the value. */
    public CompletionStage<Optional<Row>> readWhole(String owner, UniqueConstraint constraint, UniqueValue value) {
        RowStatement select = table.statement(
                "readWhole", () -> statement().select(table.columns().stream().map(TableColumn::cql)));
        return send(select, keyOf(owner))
                .thenApply(answer -> Optional.ofNullable(answer.one())
                        .filter(row -> claimable(constraint, column -> row.getBytesUnsafe(column.name()))
                                .filter(value::equals)
                                .isPresent()));
    }

    private boolean isNeeded(TableColumn column, boolean toRestore) {
        return toRestore || constrained.contains(column.name());
    }

    /** Of each regular column: the value where it is needed, the newest timestamp, and, to restore it, what its cells have to live. */
    private Stream<String> cells(boolean toRestore) {
        return table.regular().stream()
                .map(column -> (isNeeded(column, toRestore) ? column.cql() + ", " : "")
                        + column.writeTimeCql()
                        + (toRestore ? ", TTL(%s)".formatted(column.cql()) : ""));
    }

    private Snapshot snapshot(String owner, @Nullable Row row, int first, boolean toRestore) {
        Map<CqlIdentifier, ReadCell> cells = new LinkedHashMap<>();
        if (row != null) {
            int at = first;
            for (TableColumn column : table.regular()) {
                ByteBuffer bytes = isNeeded(column, toRestore) ? row.getBytesUnsafe(at++) : UNREAD;
                if (!row.isNull(at)) {
                    ByteBuffer timeToLive = toRestore ? row.getBytesUnsafe(at + 1) : null;
                    cells.put(
                            column.name(),
                            new ReadCell(column, Objects.requireNonNull(bytes), row.getLong(at), timeToLive));
                }
                at += toRestore ? 2 : 1;
            }
        }
        return new Snapshot(this, owner, row != null, toRestore, cells);
    }

    @Override
    public CompletionStage<Void> delete(String owner, long timestamp) {
        RowStatement delete = table.statement("delete", () -> statement().deleteRow());
        return send(delete, keyOf(owner).at(timestamp, null)).thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Void> restore(RowSnapshot row, long timestamp) {
        Snapshot read = (Snapshot) row;
        // One for each time to live. The statement may be the same: two elements of one set, say.
        List<CompletionStage<BoundStatement>> parts = new ArrayList<>();
        read.valuesByTimeToLive().forEach((seconds, values) -> {
            // As a whole, also where it has only some of a column's cells: all in this mutation have one timestamp, and
            // unite. By the bytes that were read, which may have fields of a type that this process does not know yet.
            List<TableColumn> columns = table.columns(values::containsKey);
            TimedRow part = keyOf(row.owner());
            values.forEach(part::put);
            parts.add(bound(
                    table.statement(
                            Map.entry("assign", columns), () -> statement().assign(columns)),
                    part.at(timestamp, seconds)));
        });
        List<TableColumn> nulls = table.regular().stream()
                .filter(column -> !read.cells.containsKey(column.name()))
                .toList();
        if (!nulls.isEmpty()) {
            parts.add(bound(
                    table.statement(
                            Map.entry("delete", nulls), () -> statement().deleteBefore(nulls, table.primaryKey())),
                    keyOf(row.owner()).at(timestamp, null)));
        }
        // All of one partition: one mutation, atomic and isolated.
        return Stages.all(parts, Function.identity())
                .thenCompose(bound -> session.executeAsync(configured(
                        BatchStatement.newInstance(BatchType.UNLOGGED).addAll(bound))))
                .thenAccept(done -> {});
    }

    private CompletionStage<BoundStatement> bound(RowStatement statement, TimedRow values) {
        return statement.prepare(session::prepareAsync).thenApply(prepared -> statement.bind(values));
    }

    private RowStatement.Builder statement() {
        return new RowStatement.Builder(table);
    }

    CompletionStage<AsyncResultSet> send(RowStatement statement, TimedRow row) {
        return sent(bound(statement, row));
    }

    private CompletionStage<AsyncResultSet> sent(CompletionStage<BoundStatement> statement) {
        return statement.thenCompose(bound -> session.executeAsync(configured(bound)));
    }

    private Statement<?> configured(Statement<?> statement) {
        return statement.setExecutionProfileName(ConditionalWrites.PROFILE).setIdempotent(true);
    }

    // ---- many rows ----

    /** Asks for the rows of the tokens above one, up to another: their keys, and what {@link #scanned} reads. */
    public CompletionStage<Statement<?>> selectRange(long after, long upto, int pageSize) {
        return selectTokens(Stream.concat(keys(), cells(false)), after, upto, pageSize);
    }

    public CompletionStage<Statement<?>> selectKeys(long after, long upto, int pageSize) {
        return selectTokens(keys(), after, upto, pageSize);
    }

    private Stream<String> keys() {
        return table.primaryKey().stream().map(TableColumn::cql);
    }

    private CompletionStage<Statement<?>> selectTokens(Stream<String> selected, long after, long upto, int pageSize) {
        String token =
                table.partitionKey().stream().map(TableColumn::cql).collect(Collectors.joining(", ", "token(", ")"));
        String text = "SELECT %s FROM %s WHERE %s > :after AND %s <= :upto"
                .formatted(selected.collect(Collectors.joining(", ")), table.qualifiedName(), token, token);
        return table.statement(text, () -> statement().text(text))
                .prepare(session::prepareAsync)
                .thenApply(prepared -> configured(prepared.boundStatementBuilder()
                        .setLong("after", after)
                        .setLong("upto", upto)
                        .setPageSize(pageSize)
                        .build()));
    }

    /** {@return the key of a row that was asked for; empty for what is left of a partition that has static columns alone} */
    public Optional<String> scannedKey(Row row) {
        List<TableColumn> key = table.primaryKey();
        return IntStream.range(0, key.size()).anyMatch(row::isNull)
                ? Optional.empty()
                : Optional.of(owner((TableColumn column) -> row.getBytesUnsafe(key.indexOf(column))));
    }

    /** Reads a row of {@link #selectRange}; empty as {@link #scannedKey} is. */
    public Optional<RowSnapshot> scanned(Row row) {
        return scannedKey(row)
                .map(owner -> snapshot(owner, row, table.primaryKey().size(), false));
    }

    /** A column that is not null, with what is left of its time to live, encoded: a list where it has several cells. */
    private record ReadCell(
            TableColumn column,
            ByteBuffer bytes,
            long writtenAt,
            @Nullable ByteBuffer timeToLive) {}

    private record Snapshot(
            CqlRows rows, String owner, boolean exists, boolean toRestore, Map<CqlIdentifier, ReadCell> cells)
            implements RowSnapshot {

        @Override
        public long newestWrite() {
            return cells.values().stream().mapToLong(ReadCell::writtenAt).max().orElse(NEVER);
        }

        @Override
        public Optional<UniqueValue> value(UniqueConstraint constraint) {
            return exists ? rows.claimable(constraint, this::bytes) : Optional.empty();
        }

        @Override
        public boolean isUnclaimable(UniqueConstraint constraint) {
            return exists && rows.shown(constraint, this::bytes) == null;
        }

        private @Nullable ByteBuffer bytes(TableColumn column) {
            ReadCell cell = cells.get(column.name());
            if (cell != null) {
                return cell.bytes();
            }
            return column.role().isKey() ? rows.keyOf(owner).get(column) : null;
        }

        @Override
        public long writtenAt(UniqueConstraint constraint, int component) {
            ReadCell cell = cells.get(constraint.components().get(component).column());
            return cell == null ? NEVER : cell.writtenAt();
        }

        /** What is to be written with each time to live, 0 for none. */
        Map<Integer, Map<TableColumn, ByteBuffer>> valuesByTimeToLive() {
            if (!toRestore) {
                throw new IllegalStateException("The row was not read to be restored");
            }
            Map<Integer, Map<TableColumn, ByteBuffer>> values = new TreeMap<>();
            for (ReadCell cell : cells.values()) {
                ByteBuffer ttl = cell.timeToLive();
                Map<Integer, ByteBuffer> parts = cell.column().role().isMultiCell()
                        ? Elements.byTimeToLive(cell.column().type(), cell.bytes(), Objects.requireNonNull(ttl))
                        : Map.of(ttl == null ? 0 : ttl.getInt(ttl.position()), cell.bytes());
                parts.forEach((seconds, bytes) -> values.computeIfAbsent(seconds, first -> new LinkedHashMap<>())
                        .put(cell.column(), bytes));
            }
            return values;
        }
    }
}
