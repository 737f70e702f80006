package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.session.OtherNodes;
import io.surewrite.cql.session.OtherNodes;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ConstrainedRows;
import io.surewrite.unique.claims.Prepared;
import io.surewrite.unique.claims.RowSnapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of any table that the driver's metadata knows. All reads and writes run with the level of the profile for
 * conditional writes, which is a quorum, and never block.
 */
public final class CqlRows implements ConstrainedRows {

    private final CqlSession session;
    private final Prepared prepared;
    private final RowShape shape;
    private final List<UniqueConstraint> constraints;
    private final Set<UniqueConstraint> naturalKeys;
    private final Optional<UniqueConstraint> rowClaim;
    private final boolean mayMix;
    private final @Nullable Node node;

    private CqlRows(CqlSession session, TableMetadata table, List<UniqueConstraint> constraints) {
        this.session = ConditionalProfile.DEFAULT.on(session);
        this.prepared = new Prepared(this.session);
        this.constraints = List.copyOf(constraints);
        this.shape = new RowShape(
                table,
                session.getContext().getCodecRegistry(),
                session.getContext().getProtocolVersion());
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
        this.prepared = rows.prepared;
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
        return ConstrainedTables.problems(shape.table());
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
    String ownerOf(Map<CqlIdentifier, ByteBuffer> columns) {
        return shape.ownerOf(columns::get);
    }

    /** As {@link #value}, of columns that are encoded already. */
    UniqueValue valueOf(UniqueConstraint constraint, Map<CqlIdentifier, ByteBuffer> columns) {
        return shape.value(constraint, columns::get);
    }

    @Override
    public CompletionStage<RowSnapshot> read(String owner) {
        return read(owner, shape.select(), false);
    }

    @Override
    public CompletionStage<RowSnapshot> readToRestore(String owner) {
        return read(owner, shape.selectToRestore(), true);
    }

    private CompletionStage<RowSnapshot> read(String owner, String select, boolean withTimesToLive) {
        return prepare(select)
                .thenCompose(statement ->
                        session.executeAsync(configured(keyed(statement, owner).build())))
                .thenApply(answer -> CqlSnapshot.of(shape, owner, answer.one(), withTimesToLive));
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
        return prepare(shape.selectRange(wanted(constraint)))
                .thenApply(statement -> configured(statement
                        .boundStatementBuilder()
                        .setLong("after", after)
                        .setLong("upto", upto)
                        .setPageSize(pageSize)
                        .build()));
    }

    /**
     * Reads a row of {@link #selectRange}.
     *
     * @param constraint the same
     * @param row the row
     * @return what it shows
     */
    public ScannedRow scanned(UniqueConstraint constraint, Row row) {
        return new ScannedRow(shape, wanted(constraint), row);
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
        return prepare(shape.deleteRow())
                .thenCompose(statement -> execute(
                        keyed(statement, owner).setLong("timestamp", timestamp).build()));
    }

    @Override
    public CompletionStage<Void> restore(RowSnapshot row, long timestamp) {
        CqlSnapshot read = (CqlSnapshot) row;
        List<CompletableFuture<BatchableStatement<?>>> parts = new ArrayList<>();
        for (List<CqlSnapshot.ReadCell> cells : read.byTimeToLive()) {
            parts.add(prepare(shape.update(
                            cells.stream().map(CqlSnapshot.ReadCell::column).toList()))
                    .<BatchableStatement<?>>thenApply(statement -> restored(statement, row.owner(), cells, timestamp))
                    .toCompletableFuture());
        }
        List<CqlIdentifier> nulls = read.nulls();
        if (!nulls.isEmpty()) {
            parts.add(prepare(shape.deleteColumns(nulls))
                    .<BatchableStatement<?>>thenApply(statement -> keyed(statement, row.owner())
                            .setLong("timestamp", timestamp - 1)
                            .build())
                    .toCompletableFuture());
        }
        // All of one partition: one mutation, atomic and isolated.
        return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                .thenCompose(all -> {
                    BatchStatement batch = BatchStatement.newInstance(BatchType.UNLOGGED)
                            .addAll(parts.stream()
                                    .<BatchableStatement<?>>map(CompletableFuture::join)
                                    .toList());
                    return execute(batch);
                });
    }

    private BatchableStatement<?> restored(
            PreparedStatement statement, String owner, List<CqlSnapshot.ReadCell> cells, long timestamp) {
        BoundStatementBuilder bound = keyed(statement, owner)
                .setLong("timestamp", timestamp)
                .setInt("seconds", cells.get(0).secondsToLive());
        for (CqlSnapshot.ReadCell cell : cells) {
            bound = bound.setBytesUnsafe(RowShape.marker(cell.column()), cell.bytes());
        }
        return bound.build();
    }

    private BoundStatementBuilder keyed(PreparedStatement statement, String owner) {
        BoundStatementBuilder bound = statement.boundStatementBuilder();
        List<ByteBuffer> key = shape.keyBytes(owner);
        for (int i = 0; i < key.size(); i++) {
            bound = bound.setBytesUnsafe(shape.keyMarkers().get(i), key.get(i));
        }
        return bound;
    }

    private CompletionStage<PreparedStatement> prepare(String cql) {
        return prepared.get(cql);
    }

    private CompletionStage<Void> execute(Statement<?> statement) {
        return session.executeAsync(configured(statement)).thenAccept(done -> {});
    }

    private Statement<?> configured(Statement<?> statement) {
        return statement
                .setExecutionProfileName(ConditionalWrites.PROFILE)
                .setIdempotent(true)
                .setNode(node);
    }
}
