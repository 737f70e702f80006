package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.internal.core.cql.DefaultAsyncResultSet;
import com.datastax.oss.driver.internal.core.cql.DefaultExecutionInfo;
import com.datastax.oss.driver.internal.core.cql.EmptyColumnDefinitions;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.RowText;
import io.surewrite.internal.cql.RowText.Action;
import io.surewrite.internal.cql.RowText.Term;
import io.surewrite.internal.rows.RowStatement;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TimedRow;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.unique.GuardedStatements.Plan;
import io.surewrite.unique.GuardedStatements.Refusal;
import io.surewrite.unique.UniqueBy.NullRule;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteScope;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/**
 * A table with unique constraints, as statements write it. A statement that names a unique value writes all of them: the
 * insert of an entity gives a null to those that it leaves out, a text must name them, and an update the whole row.
 */
record GuardedTable(CqlRows rows, Set<Set<CqlIdentifier>> entities, ClaimingGuard guard, Consumer<CqlRows> deleteAll)
        implements StatementGuards.Rows {

    GuardedTable and(GuardedTable other) {
        Map<String, UniqueConstraint> all = new HashMap<>();
        Stream.of(rows, other.rows)
                .flatMap(each -> each.constraints().stream())
                .forEach(constraint -> all.putIfAbsent(constraint.name(), constraint));
        Set<Set<CqlIdentifier>> columns = new HashSet<>(entities);
        columns.addAll(other.entities);
        return new GuardedTable(
                CqlRows.of(other.rows.session(), other.rows.table().metadata(), List.copyOf(all.values())),
                columns,
                guard,
                other.deleteAll);
    }

    /** It shows no text, which may have values in it. */
    Refusal refusal(String problem) {
        return new Refusal("A statement on " + rows.table().qualifiedName() + " " + problem);
    }

    Plan plan(CqlText text, RowText says, boolean mayBeOfAnEntity) {
        return switch (says.action()) {
            case TRUNCATE -> this::truncate;
            case DELETE -> deletion(text, says);
            case EMPTY -> isTouchedBy(says) ? refusal("empties a column of a unique value") : Plan.PASS;
            case INSERT, UPDATE -> write(text, says, mayBeOfAnEntity);
        };
    }

    private boolean isTouchedBy(RowText says) {
        Set<CqlIdentifier> written = new HashSet<>(says.values().keySet());
        written.removeAll(key());
        return rows.constraints().stream()
                .anyMatch(constraint -> CqlRows.columns(constraint).anyMatch(written::contains)
                        || (says.action() != Action.EMPTY
                                && CqlRows.columns(constraint).allMatch(key()::contains))
                        || (says.action() == Action.INSERT && constraint.nulls() == NullRule.EQUAL));
    }

    private Set<CqlIdentifier> key() {
        return rows.table().primaryKey().stream().map(TableColumn::name).collect(Collectors.toSet());
    }

    // ---- deletions

    private CompletionStage<AsyncResultSet> truncate(
            Statement<?> statement, boolean blocking, CqlText.@Nullable Name inserting) {
        WriteScope scope = WriteScope.current();
        Executor steps = blocking ? Runnable::run : task -> new Thread(task, "surewrite-delete-all").start();
        return CompletableFuture.runAsync(
                        () -> {
                            WriteScope.Opened opened = scope == null ? WriteScope.Opened.NOTHING : scope.openInstead();
                            try {
                                deleteAll.accept(rows);
                            } finally {
                                opened.close();
                            }
                        },
                        steps)
                .thenApply(done -> done(statement));
    }

    private Plan deletion(CqlText text, RowText says) {
        if (!text.writesPlainly()) {
            return refusal("deletes rows with unique values by a condition, or at a timestamp of its own");
        }
        if (!says.key().keySet().equals(key())
                || says.key().values().stream().anyMatch(terms -> terms.contains(Term.COMPUTED))) {
            return refusal(
                    "deletes rows with unique values that it does not name by their primary keys, as parameters");
        }
        return (statement, blocking, inserting) -> {
            List<Supplier<CompletionStage<Void>>> calls = new ArrayList<>();
            owners(says, statement).forEach(owner -> calls.add(() -> guard.deleteAsync(rows, owner)));
            return answered(calls, () -> done(statement));
        };
    }

    /** Each combination of what stands in lists is a row. */
    private List<String> owners(RowText says, Statement<?> statement) {
        List<Map<TableColumn, ByteBuffer>> keys = List.of(Map.of());
        for (TableColumn column : rows.table().primaryKey()) {
            List<ByteBuffer> values = Objects.requireNonNull(says.key().get(column.name())).stream()
                    .flatMap(term -> values(column, term, statement))
                    .toList();
            keys = keys.stream()
                    .flatMap(start -> values.stream().map(value -> {
                        Map<TableColumn, ByteBuffer> longer = new HashMap<>(start);
                        longer.put(column, value);
                        return longer;
                    }))
                    .toList();
        }
        return keys.stream().map(key -> rows.owner(key::get)).distinct().toList();
    }

    private Stream<ByteBuffer> values(TableColumn column, Term term, Statement<?> statement) {
        if (term.isList()) {
            Object list = statement instanceof BoundStatement bound
                    ? bound.getObject(term.marker())
                    : term.given((SimpleStatement) statement);
            return list instanceof Collection<?> all
                    ? all.stream().map(value -> rows.table().encoded(column, value))
                    : Stream.of();
        }
        return Stream.ofNullable(value(column.type(), column.cql(), term, statement));
    }

    /** Makes calls in the caller's scope, one after the other. Who gives the answer up gives them up. */
    static CompletionStage<AsyncResultSet> answered(
            List<Supplier<CompletionStage<Void>>> calls, Supplier<AsyncResultSet> answer) {
        CompletableFuture<AsyncResultSet> given = new CompletableFuture<>();
        answer(given, calls.listIterator(), answer, WriteScope.current());
        return given;
    }

    private static void answer(
            CompletableFuture<AsyncResultSet> given,
            ListIterator<Supplier<CompletionStage<Void>>> calls,
            Supplier<AsyncResultSet> answer,
            @Nullable WriteScope scope) {
        if (given.isDone() || !calls.hasNext()) {
            given.complete(answer.get());
            return;
        }
        int before = calls.nextIndex();
        WriteScope.Opened opened = scope == null ? WriteScope.Opened.NOTHING : scope.openInstead();
        try {
            CompletionStage<Void> call = calls.next().get();
            var unused = given.whenComplete((done, failure) -> {
                if (given.isCancelled()) {
                    call.toCompletableFuture().cancel(true);
                }
            });
            call.whenComplete((done, failure) -> {
                if (failure == null) {
                    answer(given, calls, answer, scope);
                } else {
                    given.completeExceptionally(ended(before, DriverFailures.unwrapped(failure), scope));
                }
            });
        } catch (RuntimeException wrong) {
            given.completeExceptionally(ended(before, wrong, scope));
        } finally {
            opened.close();
        }
    }

    /** What is said of one row is not true of a statement on several. A retry counts rows by itself. */
    private static Throwable ended(int done, Throwable failure, @Nullable WriteScope scope) {
        return done == 0 || scope != null
                ? failure
                : new PartlyDoneException(
                        "%d rows of a deletion of several are deleted, the next one is not, or not for certain; calling it again goes on"
                                .formatted(done),
                        failure,
                        done,
                        failure instanceof UnknownOutcomeException ? 1 : 0);
    }

    private static AsyncResultSet done(Statement<?> statement) {
        ColumnDefinitions none = EmptyColumnDefinitions.INSTANCE;
        return new DefaultAsyncResultSet(
                none,
                new DefaultExecutionInfo(statement, null, 0, 0, List.of(), null, null, true, null, null, null),
                new ArrayDeque<>(),
                null,
                null);
    }

    // ---- rows

    @Override
    public Set<CqlIdentifier> constrained() {
        return rows.constrained();
    }

    @Override
    public CompletionStage<Void> overwrite(
            Function<CqlIdentifier, @Nullable ByteBuffer> values, LongFunction<CompletionStage<Void>> write) {
        GuardedStatements.refuseToKeep();
        return guard.overwriteAsync(rows, row(column -> values.apply(column.name()), write));
    }

    private EntityWrite row(
            Function<TableColumn, @Nullable ByteBuffer> bytes, LongFunction<CompletionStage<Void>> writing) {
        return new EntityWrite(rows.owner(bytes), constraint -> rows.value(constraint, bytes), writing);
    }

    private Plan write(CqlText text, RowText says, boolean mayBeOfAnEntity) {
        Map<CqlIdentifier, Term> values = new HashMap<>(says.values());
        says.key().forEach((column, terms) -> values.put(column, terms.size() == 1 ? terms.get(0) : Term.COMPUTED));
        boolean touched = isTouchedBy(says);
        boolean insert = says.action() == Action.INSERT;
        Refusal refusal = text.writesPlainly()
                ? refusal(says, values, mayBeOfAnEntity && isSpelledByTemplates(text, says))
                : refusal("writes unique values by a condition, or at a timestamp of its own");
        if (refusal != null || !(touched || insert)) {
            return refusal != null && touched ? refusal : Plan.PASS;
        }
        Set<CqlIdentifier> written = new HashSet<>(values.keySet());
        written.addAll(rows.constrained());
        RowStatement sent = insert(written);
        // Who knows a row by its natural key may insert it at the same time: then nulls must win, too.
        if (!rows.naturalKeys().isEmpty()) {
            entities.forEach(written::addAll);
        }
        RowStatement sentNew = insert(written);
        CqlText.Name name = CqlText.Name.of(rows.table().metadata());
        return (statement, blocking, inserting) -> {
            boolean isNew = insert && name.equals(inserting);
            if (!touched && !isNew) {
                return null;
            }
            TimedRow row = new TimedRow();
            values.forEach((each, term) -> {
                TableColumn column = rows.table().column(each);
                ByteBuffer value = value(column.type(), column.cql(), term, statement);
                if (value != null) {
                    row.put(column, value);
                }
            });
            Integer ttl = ttl(says.ttl(), statement);
            AtomicReference<@Nullable AsyncResultSet> answer = new AtomicReference<>();
            EntityWrite write = row(
                    row::get,
                    timestamp -> rows.send(isNew ? sentNew : sent, row.at(timestamp, ttl))
                            .thenAccept(answer::set));
            return answered(
                    List.of(() -> isNew ? guard.insertAsync(rows, write) : guard.changeAsync(rows, write)),
                    () -> Objects.requireNonNull(answer.get()));
        };
    }

    /** Of an entity, templates leave the nulls out, and no blank between the columns. */
    private static boolean isSpelledByTemplates(CqlText text, RowText says) {
        String columns = says.values().keySet().stream()
                .map(column -> column.asCql(true))
                .collect(Collectors.joining(","));
        return text.cql().startsWith("INSERT INTO %s (%s) VALUES (".formatted(says.table(), columns));
    }

    private @Nullable Refusal refusal(RowText says, Map<CqlIdentifier, Term> values, boolean ofAnEntity) {
        if (values.containsValue(Term.COMPUTED)
                || Term.COMPUTED.equals(says.ttl())
                || values.values().stream().anyMatch(Term::isList)) {
            return refusal("writes unique values, and not every value is a parameter of its own");
        }
        for (CqlIdentifier column : values.keySet()) {
            if (!rows.table().byName().containsKey(column)) {
                return refusal("writes the column %s, which was not there at the start, so start again"
                        .formatted(column.asCql(true)));
            }
        }
        Set<CqlIdentifier> leftOut = new HashSet<>(rows.constrained());
        leftOut.removeAll(values.keySet());
        if (!leftOut.isEmpty() && !ofAnEntity) {
            return refusal("writes a row with unique values, and does not name the columns " + leftOut);
        }
        boolean whole = says.action() == Action.INSERT || entities.stream().anyMatch(values.keySet()::containsAll);
        return whole ? null : refusal("writes a unique value, and not the whole row");
    }

    private RowStatement insert(Set<CqlIdentifier> columns) {
        return new RowStatement.Builder(rows.table())
                .insert(
                        rows.table().columns(column -> columns.contains(column.name())),
                        column -> !column.role().isKey())
                .build();
    }

    /** Null for a null. */
    private @Nullable ByteBuffer value(DataType type, String name, Term term, Statement<?> statement) {
        Object value = term.encoded(type, statement, rows.table().driver());
        if (value == null) {
            throw new InvalidDataAccessApiUsageException(
                    "A statement writes unique values, and leaves %s unset, or gives it a value of another type. Fix: bind every value, or null"
                            .formatted(name));
        }
        return value instanceof ByteBuffer bytes ? bytes : null;
    }

    private @Nullable Integer ttl(@Nullable Term term, Statement<?> statement) {
        if (term == null
                || (statement instanceof BoundStatement bound
                        && term.marker() >= 0
                        && !bound.isSet(term.marker()))) { // then it is the table's
            return null;
        }
        ByteBuffer seconds = value(DataTypes.INT, "its TTL", term, statement);
        return seconds == null ? null : seconds.getInt(seconds.position());
    }
}
