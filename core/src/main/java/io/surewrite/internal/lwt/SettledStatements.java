package io.surewrite.internal.lwt;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.cql.DefaultAsyncResultSet;
import com.datastax.oss.driver.internal.core.cql.DefaultColumnDefinition;
import com.datastax.oss.driver.internal.core.cql.DefaultColumnDefinitions;
import com.datastax.oss.driver.internal.core.cql.DefaultExecutionInfo;
import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.RawType;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.RowText;
import io.surewrite.internal.cql.RowText.Action;
import io.surewrite.internal.cql.RowText.Term;
import io.surewrite.internal.rows.RowStatement;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TableColumn.Role;
import io.surewrite.internal.rows.TimedRow;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.WriteOutcome;
import io.surewrite.write.WriteScope;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends what the templates of a session write by conditions, in calls that are retried: the identical statement, until it is
 * known what became of it. To repeat such a call as a whole would be to find its own row and take it for another's.
 */
public final class SettledStatements implements StatementGuards.Settler {

    private final CqlSession session;
    private final SettlingConditionalWrites writes;
    private final BiPredicate<UUID, AttemptNotes> isMadeFor;
    private final Map<CqlText.Name, Told> tables = new ConcurrentHashMap<>();

    /** By what the rows of a table tell who wrote them. */
    private record Told(
            RowTable table,
            @Nullable CqlIdentifier writeId,
            @Nullable CqlIdentifier version,
            ColumnDefinitions applied) {}

    /** {@code isMadeFor}: whether an id was made for a call. */
    public SettledStatements(
            CqlSession session, SettlingConditionalWrites writes, BiPredicate<UUID, AttemptNotes> isMadeFor) {
        this.session = session;
        this.writes = writes;
        this.isMadeFor = isMadeFor;
    }

    /** Settles the conditional statements on a table from now on, by the columns that tell who wrote a row, and how often. */
    public synchronized void add(
            TableMetadata table, @Nullable CqlIdentifier writeId, @Nullable CqlIdentifier version) {
        CqlText.Name name = CqlText.Name.of(table);
        Told before = tables.get(name);
        tables.put(
                name,
                new Told(
                        RowTable.of(session.getContext(), table),
                        one("@WriteId", name, before == null ? null : before.writeId(), writeId),
                        one("@Version", name, before == null ? null : before.version(), version),
                        applied(table)));
    }

    private static @Nullable CqlIdentifier one(
            String what, CqlText.Name table, @Nullable CqlIdentifier one, @Nullable CqlIdentifier other) {
        if (one == null || other == null || one.equals(other)) {
            return one == null ? other : one;
        }
        throw new InvalidConfigurationException(
                table.toString(),
                "Writes of the table %s put a %s into several columns, %s and %s, of which each leaves the others as they were"
                        .formatted(table, what, one.asCql(true), other.asCql(true)),
                "Let all of them write one column.",
                "conditional");
    }

    /** Of the answer about a condition that held. */
    private ColumnDefinitions applied(TableMetadata table) {
        ColumnSpec column = new ColumnSpec(
                table.getKeyspace().asInternal(),
                table.getName().asInternal(),
                "[applied]",
                0,
                RawType.PRIMITIVES.get(DataType.BOOLEAN));
        return DefaultColumnDefinitions.valueOf(
                List.of(new DefaultColumnDefinition(column, (InternalDriverContext) session.getContext())));
    }

    @Override
    public @Nullable CompletionStage<AsyncResultSet> send(
            Statement<?> statement, @Nullable Consumer<WriteOutcome> told) {
        WriteScope scope = WriteScope.current();
        if (scope == null
                || !(scope.retried() || scope.statements().isRetried())
                || !CqlText.mayBeConditional(statement)) {
            return null;
        }
        RowText says = CqlText.of(statement).rows();
        Told table = says == null
                ? null
                : tables.get(says.table()
                        .in(CqlText.here(statement, session.getKeyspace().orElse(null))));
        if (says == null || table == null) {
            return null;
        }
        try {
            return new Sent(statement, says, table, scope).settle(told);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private final class Sent {

        private final DriverContext driver = session.getContext();
        private final Statement<?> noted;
        private final Statement<?> statement;
        private final RowText says;
        private final Told told;
        private final AttemptNotes notes;

        Sent(Statement<?> statement, RowText says, Told told, WriteScope scope) {
            this.noted = scope.applyTo(statement, driver);
            // A profile of its own may have another policy of retries.
            this.statement = noted.getExecutionProfile() == null ? noted : noted.setExecutionProfile(null);
            this.says = says;
            this.told = told;
            this.notes = scope.statements();
        }

        private @Nullable CqlIdentifier writeId() {
            CqlIdentifier column = told.writeId();
            return column == null || encoded(says.values().get(column), column) == null ? null : column;
        }

        private @Nullable CqlIdentifier version() {
            CqlIdentifier column = told.version();
            return column == null || !isCounted(column) ? null : column;
        }

        /** Whether nobody else can write the version that this one writes: of an update, the next one after that it compares. */
        private boolean isCounted(CqlIdentifier column) {
            if (says.action() != Action.UPDATE) {
                return (says.action() == Action.DELETE ? says.conditions() : says.values()).containsKey(column);
            }
            Long from = number(column, says.conditions());
            Long to = number(column, says.values());
            return from != null && to != null && to == from + 1;
        }

        CompletionStage<AsyncResultSet> settle(@Nullable Consumer<WriteOutcome> outcome) {
            boolean underOwnId = says.action() == Action.INSERT && writeId() == null && isUnderAnIdOfThisCall();
            Settlement settlement = new Settlement(writes, notes, () -> ours(underOwnId), this::shown, this::look);
            return settlement
                    .settle(statement, noted)
                    .thenApply(end -> outcome == null ? answer(end) : tell(end, outcome));
        }

        private Settlement.Ours ours(boolean underOwnId) {
            CqlIdentifier writeId = writeId();
            CqlIdentifier version = version();
            return new Settlement.Ours(
                    told.table().metadata().getName().asCql(true),
                    says.action() == Action.DELETE,
                    writeId == null ? null : encoded(says.values().get(writeId), writeId),
                    underOwnId,
                    version == null ? null : number(version, says.conditions()),
                    version == null ? null : number(version, says.values()));
        }

        private boolean isUnderAnIdOfThisCall() {
            List<TableColumn> key = told.table().primaryKey();
            CqlIdentifier column = key.get(0).name();
            ByteBuffer id = key.size() == 1 ? encoded(says.keyTerm(column), column) : null;
            return id != null
                    && id.remaining() == 2 * Long.BYTES
                    && notes.nextWriteOf(id) == 1
                    && isMadeFor.test(
                            new UUID(id.getLong(id.position()), id.getLong(id.position() + Long.BYTES)), notes);
        }

        private @Nullable ByteBuffer encoded(@Nullable Term term, CqlIdentifier name) {
            TableColumn column = told.table().byName().get(name);
            return term != null
                            && column != null
                            && term.encoded(column.type(), statement, driver) instanceof ByteBuffer bytes
                    ? bytes
                    : null;
        }

        private @Nullable Long number(CqlIdentifier column, Map<CqlIdentifier, Term> values) {
            ByteBuffer bytes = encoded(values.get(column), column);
            return bytes == null
                    ? null
                    : number(told.table().decoded(told.table().column(column), bytes));
        }

        private static @Nullable Long number(@Nullable Object version) {
            return version instanceof Number number ? number.longValue() : null;
        }

        /** What a row says; null if it lacks a column that is asked for. */
        private Settlement.@Nullable Shown shown(Row row) {
            CqlIdentifier writeId = writeId();
            CqlIdentifier version = version();
            ColumnDefinitions columns = row.getColumnDefinitions();
            boolean lacksOne =
                    (writeId != null && !columns.contains(writeId)) || (version != null && !columns.contains(version));
            return lacksOne
                    ? null
                    : new Settlement.Shown(
                            writeId == null ? null : row.getBytesUnsafe(writeId),
                            version == null ? null : number(row.getObject(version)));
        }

        /** Where the condition is decided: so it finishes what was begun there. */
        private CompletionStage<Optional<Settlement.Shown>> look() {
            RowTable table = told.table();
            TimedRow key = new TimedRow();
            for (TableColumn column : table.primaryKey()) {
                ByteBuffer bytes = encoded(says.keyTerm(column.name()), column.name());
                if (bytes == null) {
                    return CompletableFuture.failedFuture(
                            new IllegalStateException("The key of the row is in the text of the statement"));
                }
                key.put(column, bytes);
            }
            CqlIdentifier writeId = writeId();
            CqlIdentifier version = version();
            List<TableColumn> columns = table.columns(column -> column.role() == Role.PARTITION_KEY
                    || column.name().equals(writeId)
                    || column.name().equals(version));
            RowStatement read = table.statement(
                    columns,
                    () -> new RowStatement.Builder(table)
                            .select(columns.stream().map(TableColumn::cql)));
            return read.prepare(session::prepareAsync)
                    .thenCompose(prepared -> session.executeAsync(read.bind(key)
                            .setExecutionProfileName(ConditionalWrites.PROFILE)
                            .setIdempotent(true)
                            .setConsistencyLevel(decidedAt())))
                    .thenApply(found -> Optional.ofNullable(found.one()).map(this::shown));
        }

        private ConsistencyLevel decidedAt() {
            ConsistencyLevel own = statement.getSerialConsistencyLevel();
            return own != null ? own : ConditionalProfile.serialLevel(session);
        }

        private AsyncResultSet tell(Settlement.End end, Consumer<WriteOutcome> outcome) {
            outcome.accept(end.applied() ? new WriteOutcome.Applied() : new WriteOutcome.Rejected(end.row()));
            return answer(DefaultColumnDefinitions.valueOf(List.of()), List.of());
        }

        /** As the server would have answered. */
        private AsyncResultSet answer(Settlement.End end) {
            Row row = end.row();
            ColumnDefinitions columns = row == null ? told.applied() : row.getColumnDefinitions();
            List<@Nullable ByteBuffer> values = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                values.add(
                        row == null
                                ? TypeCodecs.BOOLEAN.encode(end.applied(), driver.getProtocolVersion())
                                : row.getBytesUnsafe(i));
            }
            return answer(columns, Collections.singleton(values));
        }

        private AsyncResultSet answer(ColumnDefinitions columns, Collection<List<@Nullable ByteBuffer>> rows) {
            return new DefaultAsyncResultSet(
                    columns,
                    new DefaultExecutionInfo(statement, null, 0, 0, List.of(), null, null, true, null, null, null),
                    new ArrayDeque<>(rows),
                    session,
                    (InternalDriverContext) driver);
        }
    }
}
