package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.repository.PlannedRepository.Mutation;
import io.surewrite.schema.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.unique.CqlRows;
import io.surewrite.unique.GuardedStatements;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.WholeTable;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import io.surewrite.write.InvalidConfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.annotation.Order;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.convert.CassandraConversionContext;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.event.AfterConvertEvent;
import org.springframework.data.cassandra.core.mapping.event.AfterLoadEvent;
import org.springframework.data.convert.PropertyValueConverter;
import org.springframework.data.mapping.model.PropertyValueProvider;

/**
 * Reads {@link UniqueBy}, and has the statements guarded that templates send to the table. Around methods there is what no
 * statement tells, inside of the retry.
 */
@Order(RepositoryMethodAdvice.UNIQUE)
record UniqueRepositoryAdvice(
        ApplicationContext context,
        UniqueScanSettings scans,
        TablesInUse inUse,
        StatementGuards guards,
        SteadyValues steady)
        implements RepositoryMethodAdvice {

    @Override
    public Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
        return RepositoryConstraints.isAnnotated(repository.type()) ? new Planner(repository).plan() : method -> null;
    }

    private final class Planner {

        private final PlannedRepository repository;
        private final Class<?> type;
        private final SureSession own;
        private final CassandraPersistentEntity<?> entity;
        private final TableMetadata table;
        private final List<UniqueConstraint> constraints;
        private final GuardedStatements statements;

        Planner(PlannedRepository repository) {
            this.repository = repository;
            this.type = repository.type();
            this.own = repository.own();
            this.entity = repository.entity();
            if (entity.hasVersionProperty()) {
                throw wrong(
                        entity.getType().getSimpleName()
                                + " has a @Version, so that its rows are written by conditions and carry no timestamp of their own",
                        "Take @Version away, or guard the value without the entity, by UniqueGuard.claim.");
            }
            this.table = repository
                    .table()
                    .orElseThrow(() -> wrong(
                            "the session's schema metadata has no table "
                                    + entity.getTableName().asCql(true),
                            "Create the table first, and keep the driver's schema metadata enabled."));
            this.constraints = constraints();
            this.statements = GuardedStatements.of(guards, own.session());
            guardStatements();
        }

        private InvalidConfigurationException wrong(String problem, String fix) {
            return RepositoryConstraints.wrong(type.getSimpleName(), problem, fix);
        }

        private List<UniqueConstraint> constraints() {
            Map<String, UniqueConstraint> byName = new LinkedHashMap<>(); // several methods may share a constraint
            RepositoryConstraints.readAll(type, (annotation, where) -> {
                ConstraintReader.Read read = new ConstraintReader(
                                own.converter().getMappingContext(), context, entity, where)
                        .read(annotation);
                UniqueConstraint constraint = read.constraint();
                try {
                    var unused = CqlRows.of(own.session(), table, List.of(constraint));
                } catch (IllegalArgumentException unfit) {
                    throw RepositoryConstraints.wrong(
                            where,
                            String.valueOf(unfit.getMessage()),
                            "Change the table, or guard the value without an entity, by UniqueGuard.claim.");
                }
                own.uniqueCatalog()
                        .add(new UniqueCatalog.Entry(
                                constraint,
                                CqlText.Name.of(table).toString(),
                                read.definition(),
                                () -> statements.rowsOf(table),
                                new ConstraintMapping(own.converter(), context, read.properties(), table.getName())));
                byName.putIfAbsent(constraint.name(), constraint);
            });
            return List.copyOf(byName.values());
        }

        /** Of all templates of the session: whoever writes the table, its constraints count, also those of other repositories. */
        private void guardStatements() {
            repository.enter(guards, "unique");
            Set<CqlIdentifier> columns =
                    RowTable.mapped(entity, own.converter().getMappingContext()).keySet();
            for (CqlIdentifier column : columns) {
                if (!table.getColumns().containsKey(column)) {
                    throw wrong(
                            "%s maps the column %s, which %s does not have"
                                    .formatted(entity.getName(), column.asCql(true), CqlText.Name.of(table)),
                            "Add it to the table, or make the property @Transient.");
                }
            }
            statements.add(
                    table,
                    constraints,
                    columns,
                    own.uniqueGuard(),
                    rows -> new WholeTable(own.uniqueGuard(), rows, scans).delete());
            steady.add(new SteadyValues.Entities(
                    own.converter(), entity, columns, () -> statements.rowsOf(table), ConcurrentHashMap.newKeySet()));
        }

        Function<Method, @Nullable MethodInterceptor> plan() {
            inUse.add(
                    own.session(),
                    table,
                    "@UniqueBy of " + type.getSimpleName(),
                    now -> CqlRows.problems(now, constraints));
            return method -> method.isBridge() ? null : plan(method); // which calls what it stands for
        }

        private @Nullable MethodInterceptor plan(Method method) {
            Mutation mutation = repository.mutation(method);
            boolean writesEntities = mutation != null && mutation.writesEntities();
            if (!writesEntities && RepositoryConstraints.isOn(method)) {
                String operation = repository.operation(method);
                String what = mutation == null
                        ? "writes no entity that Surewrite could see"
                        : "deletes; deletions always free what was claimed";
                throw new InvalidConfigurationException(
                        operation,
                        "@UniqueBy is on %s, which %s.".formatted(operation, what),
                        "Put it on the repository's interface, or on save, saveAll, insert or overwrite.",
                        "unique");
            }
            if (mutation == null) {
                requireGuarded(method);
                return null;
            }
            MethodInterceptor inserting = mutation == Mutation.INSERT ? inserting(method) : null;
            return writesEntities && !Modifier.isFinal(entity.getType().getModifiers())
                    ? ofThisTable(method, inserting)
                    : inserting;
        }

        /** An entity of a subclass may be mapped to another table, where the constraint of this one says nothing. */
        private MethodInterceptor ofThisTable(Method method, @Nullable MethodInterceptor next) {
            EntityArguments entities = new EntityArguments(this::ofThisTable, false);
            Class<?> declared = method.getParameterTypes()[0];
            return invocation -> {
                @Nullable Object[] arguments = invocation.getArguments();
                arguments[0] = entities.prepare(declared, arguments[0]);
                return next == null ? invocation.proceed() : next.invoke(invocation);
            };
        }

        private Object ofThisTable(Object given) {
            if (given.getClass() == entity.getType()) {
                return given;
            }
            CassandraPersistentEntity<?> mapped =
                    own.converter().getMappingContext().getRequiredPersistentEntity(given.getClass());
            if (!mapped.getTableName().equals(entity.getTableName())
                    || !Objects.equals(mapped.getKeyspace(), entity.getKeyspace())) {
                throw new InvalidDataAccessApiUsageException(
                        "%s is mapped to the table %s, where @UniqueBy of %s guards nothing. Fix: save it by a repository of its own."
                                .formatted(
                                        mapped.getType().getSimpleName(),
                                        mapped.getTableName().asCql(true),
                                        type.getSimpleName()));
            }
            return given;
        }

        /** Says that the rows are new, which no statement does. */
        private MethodInterceptor inserting(Method method) {
            return RetriedMethod.saying(method, StatementGuards.INSERTING, CqlText.Name.of(table));
        }

        private void requireGuarded(Method method) {
            String operation = repository.operation(method);
            String cql = repository.statement(method);
            if (cql != null) {
                statements.require(operation, cql);
            } else if (!repository.information().isBaseClassMethod(method) && repository.isDerivedDelete(method)) {
                throw new InvalidConfigurationException(
                        operation,
                        operation + " deletes rows by its name, without looking at them, which leaves their claims.",
                        "Find the rows by a method such as findBy..., and pass them to deleteAll(entities).",
                        "unique");
            }
        }
    }

    /** Spring Data's mapping, as far as looking for values needs it. */
    private record ConstraintMapping(
            CassandraConverter converter,
            ApplicationEventPublisher events,
            List<CassandraPersistentProperty> properties,
            CqlIdentifier table)
            implements UniqueCatalog.Mapping {

        /** A value that is looked for comes without an entity. */
        private static final PropertyValueProvider<CassandraPersistentProperty> ALONE = new PropertyValueProvider<>() {

            @Override
            @SuppressWarnings("TypeParameterUnusedInFormals") // as Spring declares it
            public <T> @Nullable T getPropertyValue(CassandraPersistentProperty property) {
                return null;
            }
        };

        @Override
        public List<@Nullable Object> columns(List<? extends @Nullable Object> values) {
            List<@Nullable Object> columns = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                Object value = values.get(i);
                columns.add(value == null || i >= properties.size() ? value : column(value, properties.get(i)));
            }
            return columns;
        }

        private @Nullable Object column(Object value, CassandraPersistentProperty property) {
            if (!property.getType().isInstance(value)) {
                return converter.convertToColumnType(value); // of the column's type already, or nearly
            }
            var ofProperties = converter.getCustomConversions().getPropertyValueConversions();
            if (ofProperties != null && ofProperties.hasValueConverter(property)) {
                PropertyValueConverter<Object, Object, CassandraConversionContext> own =
                        ofProperties.getValueConverter(property);
                return own.write(value, new CassandraConversionContext(ALONE, property, converter));
            }
            return converter.convertToColumnType(
                    value, converter.getColumnTypeResolver().resolve(property));
        }

        @Override
        public <T> Function<Row, T> entities(Class<T> type) {
            CqlIdentifier mapped = converter
                    .getMappingContext()
                    .getRequiredPersistentEntity(type)
                    .getTableName();
            if (!mapped.equals(table)) {
                throw new IllegalArgumentException("%s is mapped to the table %s, and the constraint is of %s"
                        .formatted(type.getName(), mapped.asCql(true), table.asCql(true)));
            }
            return row -> {
                events.publishEvent(new AfterLoadEvent<>(row, type, table));
                T entity = converter.read(type, row);
                events.publishEvent(new AfterConvertEvent<>(row, entity, table));
                return entity;
            };
        }
    }
}
