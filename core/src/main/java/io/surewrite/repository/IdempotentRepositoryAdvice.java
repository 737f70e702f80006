package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.IdempotenceCheck;
import io.surewrite.internal.cql.IdempotenceVerdict;
import io.surewrite.internal.cql.TableLookup;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.internal.session.TemplateScope;
import io.surewrite.repository.PlannedRepository.Mutation;
import io.surewrite.repository.RetriedMethod.Streams;
import io.surewrite.retry.ClientSideIds;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.retry.ScopedRetryTemplate;
import io.surewrite.schema.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.write.RowWrittenTwiceException;
import io.surewrite.write.WriteId;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.repository.Query;

/** Retries the {@link Idempotent} methods of repositories, and refuses those whose statement is not idempotent. */
@Order(RepositoryMethodAdvice.RETRY)
record IdempotentRepositoryAdvice(
        ConfigurableBeanFactory beans, ClientSideIds ids, Runnable planned, TablesInUse tables)
        implements RepositoryMethodAdvice {

    private static final Pattern BASE_READ = Pattern.compile("(find|exists|count).*");

    private static final Set<String> SINGLE_WRITES = Set.of("save", "insert", "delete");

    private static final Set<String> STREAM_WRITES = Set.of("saveAll", "insert", "deleteAll");

    @Override
    public Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
        return new Planner(repository)::plan;
    }

    /** Says what could not be repeated of what nobody has annotated, and looks at the table. */
    void look(PlannedRepository repository, Refusals refusals) {
        if (!SessionDecorator.isReal(repository.own().session())) {
            return;
        }
        repository
                .table()
                .ifPresent(table -> tables.add(
                        repository.own().session(), table, repository.type().getSimpleName(), now -> List.of()));
        Planner planner = new Planner(repository);
        for (Method method : repository.type().getMethods()) {
            List<String> reasons =
                    IdempotentPlans.annotation(method, repository.type()) == null && !planner.isTruncation(method)
                            ? planner.reasonsAgainst(method, new IdempotenceCheck(false))
                            : List.of();
            if (!reasons.isEmpty()) {
                refusals.add(IdempotentPlans.refused(repository.operation(method), reasons));
            }
        }
    }

    private final class Planner {

        private final PlannedRepository repository;
        private final Class<?> type;
        private final SureSession own;
        private final IdempotentPlans plans = new IdempotentPlans(beans, method -> planned.run());
        private final List<Supplier<List<String>>> checks = new CopyOnWriteArrayList<>();

        Planner(PlannedRepository repository) {
            this.repository = repository;
            this.type = repository.type();
            this.own = repository.own();
        }

        @Nullable
        MethodInterceptor plan(Method method) {
            Idempotent annotation = IdempotentPlans.annotation(method, type);
            boolean ofTheWholeInterface = IdempotentPlans.onMethod(method, type) == null;
            if (annotation == null || (ofTheWholeInterface && isTruncation(method))) {
                return null; // deleteAll() is inherited by every repository
            }
            String operation = repository.operation(method);
            String session = own.name();
            ScopedRetryTemplate template = aboutItsTable(
                    method,
                    plans.template(annotation, operation)
                            .on(
                                    own.writeTimestamps(),
                                    session == null ? own.session().getName() : session));
            IdempotenceCheck accepting =
                    new IdempotenceCheck(annotation.extendTtl(), ConditionalText.of(repository, method) != null);
            Supplier<List<String>> reasonsNow =
                    () -> reasonsAgainst(method, accepting, template.settings().deadline());
            List<String> reasons = new ArrayList<>(reasonsNow.get());
            if (!TemplateScope.enter(own.template())) {
                String sender = own.template() instanceof CassandraOperations blocking
                        ? "a " + blocking.getCqlOperations().getClass().getName()
                        : "means of its own";
                reasons.add(
                        ("its template sends by %s, which takes no timestamp from the retry: a later attempt would undo a"
                                        + " newer write. Fix: give the template a CqlTemplate or a ReactiveCqlTemplate")
                                .formatted(sender));
            }
            if (annotation.whenExhausted() == WhenExhausted.BACKLOG && !ofTheWholeInterface) {
                reasons.addAll(reasonsAgainstWaiting(method, accepting));
                if (session == null) {
                    reasons.add(
                            "whenExhausted = BACKLOG, and the session of its template is no bean, so that nobody could tell"
                                    + " after a restart where the write belongs. Fix: define the session as a bean");
                }
            }
            if (!reasons.isEmpty()) {
                throw IdempotentPlans.refused(operation, reasons);
            }
            checkAgain(reasonsNow);
            Streams streams = streams(method);
            Mutation mutation = repository.mutation(method);
            UnaryOperator<Object> filled = mutation != null && mutation.writesEntities() ? lastingIds() : ids::fill;
            BiFunction<Class<?>, @Nullable Object, @Nullable Object> prepared =
                    new EntityArguments(filled, !streams.areElements())::prepare;
            boolean saves = mutation == Mutation.SAVE && !repository.savesOverwrite();
            return plans.plan(
                    annotation,
                    method,
                    type,
                    streams == Streams.READ ? template.forReads() : template,
                    streams,
                    saves || mutation == Mutation.INSERT ? prepared.andThen(this::ofDifferentRows) : prepared);
        }

        /** Of one row, several entities would be written at one timestamp. This is seen before the first is sent. */
        private @Nullable Object ofDifferentRows(@Nullable Object given) {
            if (!(given instanceof Collection<?> many)) {
                return given;
            }
            Map<Object, Object> rows = new HashMap<>();
            for (Object entity : many) {
                if (entity == null) {
                    continue; // refused where it is written
                }
                CassandraPersistentEntity<?> mapped =
                        own.converter().getMappingContext().getRequiredPersistentEntity(entity.getClass());
                Object id = own.converter().getId(entity, mapped);
                if (id != null && !mapped.hasVersionProperty()) {
                    Object before =
                            rows.putIfAbsent(Arrays.asList(mapped.getKeyspace(), mapped.getTableName(), id), entity);
                    if (before != null && !row(before).equals(row(entity))) {
                        throw new RowWrittenTwiceException(mapped.getTableName());
                    }
                }
            }
            return given;
        }

        private Map<CqlIdentifier, Object> row(Object entity) {
            Map<CqlIdentifier, Object> row = new HashMap<>();
            own.converter().write(entity, row);
            row.values().removeIf(Objects::isNull);
            return row;
        }

        /** An id that can be filled neither by us nor, in place, by a callback, would be another in each attempt. */
        private UnaryOperator<Object> lastingIds() {
            CassandraPersistentProperty id = repository.entity().getIdProperty();
            if (id == null || !id.isImmutable() || id.getType() == UUID.class) {
                return ids::fill;
            }
            return entity -> {
                Object given = ids.fill(entity);
                if (id.getOwner().getType().isInstance(given)
                        && id.getOwner().getPropertyAccessor(given).getProperty(id) == null) {
                    throw new InvalidDataAccessApiUsageException(
                            ("%s has no %s, and cannot be given one: each attempt to write it would make another, and so"
                                            + " another row. Fix: make it before the call, in the constructor or by the caller")
                                    .formatted(given.getClass().getSimpleName(), id.getName()));
                }
                return given;
            };
        }

        private ScopedRetryTemplate aboutItsTable(Method method, ScopedRetryTemplate template) {
            String cql = repository.statement(method);
            List<TableMetadata> written = cql == null
                    ? repository.table().stream().toList()
                    : new IdempotenceCheck(false)
                            .check(cql, repository.schema()).tables().stream()
                                    .distinct()
                                    .toList();
            return written.size() == 1
                    ? template.about(written.get(0).getKeyspace().asInternal() + "."
                            + written.get(0).getName().asInternal())
                    : template;
        }

        /** After a change of the schema. */
        private void checkAgain(Supplier<List<String>> reasonsNow) {
            if (checks.isEmpty()) {
                repository
                        .table()
                        .ifPresent(table -> tables.add(
                                own.session(),
                                table,
                                "@Idempotent of " + type.getSimpleName(),
                                now -> checks.stream()
                                        .flatMap(each -> each.get().stream())
                                        .distinct()
                                        .toList()));
            }
            checks.add(reasonsNow);
        }

        private List<String> reasonsAgainst(Method method, IdempotenceCheck accepting, Duration deadline) {
            List<String> reasons = new ArrayList<>(reasonsAgainst(method, accepting));
            if (!onlyReads(method)) {
                reasons.addAll(againstWriteIds());
            }
            Optional<TableMetadata> table = repository.table();
            Duration grace = table.map(TableLookup::gcGrace).orElse(null);
            if (grace != null && deadline.compareTo(grace) >= 0) {
                reasons.add(
                        "the deadline %s is not below gc_grace_seconds = %s of table %s: an attempt that late may bring deleted data back. Fix: shorten the deadline"
                                .formatted(
                                        deadline,
                                        grace.toSeconds(),
                                        table.orElseThrow().getName().asCql(true)));
            }
            return reasons;
        }

        private List<String> reasonsAgainst(Method method, IdempotenceCheck accepting) {
            String cql = repository.statement(method);
            if (cql != null) {
                List<String> reasons = new ArrayList<>(
                        accepting.check(cql, repository.schema()).reasons());
                ConditionalText conditional = ConditionalText.of(repository, method);
                if (conditional != null) {
                    reasons.addAll(conditional.reasonsAgainst());
                }
                return reasons;
            }
            if (isTruncation(method)) {
                return List.of("'deleteAll()' %s: a late attempt also deletes what was written since."
                                .formatted(
                                        RepositoryConstraints.isAnnotated(type)
                                                ? "deletes every row"
                                                : "truncates the table")
                        + " Fix: delete the rows you mean, or call it without a retry");
            }
            String name = repository.information().isBaseClassMethod(method) ? method.getName() : "";
            if (name.startsWith("save") || name.startsWith("insert")) {
                return reasons(table -> checkOverwrite(table, accepting));
            }
            return name.startsWith("delete") || repository.isDerivedDelete(method)
                    ? reasons(accepting::checkDelete)
                    : List.of();
        }

        private boolean onlyReads(Method method) {
            String cql = repository.statement(method);
            if (cql != null) {
                return CqlText.of(cql).reads();
            }
            return repository.information().isBaseClassMethod(method)
                    ? BASE_READ.matcher(method.getName()).matches()
                    : repository.isDerived(method)
                            && !AnnotatedElementUtils.hasAnnotation(method, Query.class)
                            && !repository.isDerivedDelete(method);
        }

        private Streams streams(Method method) {
            if (onlyReads(method)) {
                return Streams.READ;
            }
            if (!repository.information().isBaseClassMethod(method)) {
                return Streams.OF_ITS_OWN;
            }
            if (!STREAM_WRITES.contains(method.getName())) {
                return Streams.FIRST;
            }
            return RepositoryConstraints.isAnnotated(type) ? Streams.ELEMENTS_IN_ORDER : Streams.ELEMENTS;
        }

        private Collection<String> reasonsAgainstWaiting(Method method, IdempotenceCheck accepting) {
            if (RepositoryConstraints.isAnnotated(type)) {
                return List.of("@UniqueBy decides by conditions, which cannot wait. Fix: leave whenExhausted at FAIL");
            }
            if (repository.isVersioned(method) || ConditionalText.of(repository, method) != null) {
                return List.of("it is written by conditions, which cannot wait. Fix: leave whenExhausted at FAIL");
            }
            if (onlyReads(method)) {
                return List.of("it writes nothing that could be kept");
            }
            String cql = repository.statement(method);
            if (cql != null) {
                return accepting.check(cql, repository.schema()).reasonsAgainstWaiting();
            }
            if (!repository.information().isBaseClassMethod(method)
                    || method.getName().equals("deleteById")) {
                return List.of();
            }
            if (!SINGLE_WRITES.contains(method.getName()) || RetriedMethod.takesMany(method)) {
                return List.of(
                        "only save, insert, delete and deleteById of one entity send one statement, and half of an"
                                + " operation must not be kept. Fix: send a batch from a method of your own");
            }
            return method.getName().equals("delete")
                    ? List.of()
                    : repository
                            .table()
                            .<Collection<String>>map(
                                    table -> checkOverwrite(table, accepting).reasonsAgainstWaiting())
                            .orElse(List.of());
        }

        private boolean isTruncation(Method method) {
            return method.getName().equals("deleteAll")
                    && Signature.parameterCount(method) == 0
                    && repository.information().isBaseClassMethod(method);
        }

        private List<String> againstWriteIds() {
            List<CassandraPersistentProperty> ids = new ArrayList<>();
            repository.entity().getPersistentProperties(WriteId.class).forEach(ids::add);
            boolean isRight = ids.size() <= 1
                    && ids.stream()
                            .allMatch(
                                    id -> id.getType() == UUID.class && !id.isPrimaryKeyColumn() && !id.isIdProperty());
            return isRight
                    ? List.of()
                    : List.of(
                            "@WriteId stands at %s, which must hold an id of each write. Fix: put it at one UUID that is no part of the key"
                                    .formatted(ids.stream()
                                            .map(CassandraPersistentProperty::getName)
                                            .collect(Collectors.joining(" and "))));
        }

        private IdempotenceVerdict checkOverwrite(TableMetadata table, IdempotenceCheck accepting) {
            return accepting.checkOverwrite(
                    table,
                    RowTable.mapped(repository.entity(), own.converter().getMappingContext())
                            .keySet());
        }

        private List<String> reasons(Function<TableMetadata, IdempotenceVerdict> checked) {
            return repository
                    .table()
                    .map(table -> checked.apply(table).reasons())
                    .orElseGet(this::unknownTable);
        }

        private List<String> unknownTable() {
            CassandraPersistentEntity<?> entity = repository.entity();
            return List.of(
                    ("the table %s of %s does not exist, or the driver has not read the schema, which it logs. Fix:"
                                    + " correct @Table, or create the table before the application starts, for example by a file in"
                                    + " surewrite.schema.locations or by spring.cassandra.schema-action (and keep the driver's schema"
                                    + " metadata enabled)")
                            .formatted(
                                    entity.getTableName().asCql(true),
                                    entity.getType().getSimpleName()));
        }
    }
}
