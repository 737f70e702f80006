package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.overwrite.EntityLifecycle;
import io.surewrite.retry.TableLookup;
import io.surewrite.schema.TablesInUse;
import io.surewrite.unique.ConstrainedTable;
import io.surewrite.unique.CqlRows;
import io.surewrite.unique.InvalidConstraintException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueGuard;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.repository.core.RepositoryInformation;

/** Guards the writes of repositories with {@link UniqueBy}: inside of the retry, outside of everything else. */
public final class UniqueRepositoryAdvice implements RepositoryMethodAdvice, Ordered {

    private final CqlSession session;
    private final CassandraConverter converter;
    private final CassandraMappingContext mapping;
    private final Supplier<UniqueGuard> guard;
    private final UniqueCatalog catalog;
    private final ApplicationContext context;
    private final boolean strict;
    private final BooleanSupplier savesOverwrite;
    private final TablesInUse inUse;
    private final Map<Class<?>, Map<Method, MethodInterceptor>> plans = new ConcurrentHashMap<>();

    /**
     * Creates the advice.
     *
     * @param session has the tables, and the driver's metadata of them
     * @param converter maps entities
     * @param mapping knows them
     * @param guard asked for when a repository with a constraint is made
     * @param catalog gets the constraints that are found
     * @param context has beans that normalise, and callbacks
     * @param strict whether methods that write past the guard are refused
     * @param savesOverwrite whether {@code save} overwrites where the repository does not say
     * @param inUse hears of the tables
     */
    public UniqueRepositoryAdvice(
            CqlSession session,
            CassandraConverter converter,
            CassandraMappingContext mapping,
            Supplier<UniqueGuard> guard,
            UniqueCatalog catalog,
            ApplicationContext context,
            boolean strict,
            BooleanSupplier savesOverwrite,
            TablesInUse inUse) {
        this.session = session;
        this.converter = converter;
        this.mapping = mapping;
        this.guard = guard;
        this.catalog = catalog;
        this.context = context;
        this.strict = strict;
        this.savesOverwrite = savesOverwrite;
        this.inUse = inUse;
    }

    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    public @Nullable MethodInterceptor plan(RepositoryInformation repository, Method method) {
        Class<?> type = repository.getRepositoryInterface();
        if (!RepositoryConstraints.isAnnotated(type)) {
            return null;
        }
        return plans.computeIfAbsent(type, added -> plan(repository)).get(method);
    }

    private Map<Method, MethodInterceptor> plan(RepositoryInformation repository) {
        Class<?> type = repository.getRepositoryInterface();
        CassandraPersistentEntity<?> entity = mapping.getRequiredPersistentEntity(repository.getDomainType());
        requireNoVersion(entity, type);
        TableMetadata table = table(entity, type);
        RepositoryConstraints constraints = constraints(type, entity, table);
        Function<List<UniqueConstraint>, ConstrainedTable> tables = some -> constrained(type, entity, table, some);
        boolean overwrites = OverwritingRepositories.overwrites(type, savesOverwrite);
        GuardedTables guarded = repository.isReactiveRepository()
                ? reactive(guard.get(), entity, tables, overwrites)
                : blocking(guard.get(), entity, tables, overwrites);
        Map<Method, MethodInterceptor> planned = new UniquePlanner(repository, constraints, guarded).plan(strict);
        inUse.add(
                session,
                table,
                "@UniqueBy of " + type.getSimpleName(),
                now -> CqlRows.problems(now, constraints.all()));
        return planned;
    }

    private GuardedTables blocking(
            UniqueGuard ready,
            CassandraPersistentEntity<?> entity,
            Function<List<UniqueConstraint>, ConstrainedTable> tables,
            boolean overwrites) {
        EntityLifecycle.Blocking lifecycle = new EntityLifecycle(context).blocking();
        return (mutation, some) -> new UniqueInterceptor(
                mutation, overwrites, new GuardedEntities(ready, tables.apply(some), entity, lifecycle, context));
    }

    private GuardedTables reactive(
            UniqueGuard ready,
            CassandraPersistentEntity<?> entity,
            Function<List<UniqueConstraint>, ConstrainedTable> tables,
            boolean overwrites) {
        EntityLifecycle.Reactive lifecycle = new EntityLifecycle(context).reactive();
        return (mutation, some) -> new ReactiveUniqueInterceptor(
                mutation,
                overwrites,
                new ReactiveGuardedEntities(ready, tables.apply(some), entity, lifecycle, context));
    }

    private RepositoryConstraints constraints(Class<?> type, CassandraPersistentEntity<?> entity, TableMetadata table) {
        ConstraintReader reader = new ConstraintReader(mapping, context);
        String name = table.getKeyspace().asCql(true) + "." + table.getName().asCql(true);
        Map<String, UniqueConstraint> byName = new HashMap<>(); // several methods may share a constraint
        return RepositoryConstraints.of(type, (annotation, where) -> {
            ConstraintReader.Read read = reader.read(annotation, entity, table, where);
            catalog.add(
                    read.constraint(),
                    name,
                    read.definition(),
                    () -> constrained(type, entity, table, List.of(read.constraint()))
                            .rows(),
                    type.getSimpleName());
            return byName.computeIfAbsent(read.constraint().name(), added -> read.constraint());
        });
    }

    private ConstrainedTable constrained(
            Class<?> type, CassandraPersistentEntity<?> entity, TableMetadata table, List<UniqueConstraint> some) {
        ConstrainedTable constrained;
        try {
            constrained =
                    new ConstrainedTable(session, converter, entity, table, EntityColumns.of(entity, mapping), some);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidConstraintException(
                    "@UniqueBy on %s: %s.".formatted(type.getSimpleName(), wrong.getMessage()),
                    "Change the table, or guard the value without an entity, by UniqueGuard.claim.");
        }
        List<String> problems = constrained.rows().problems();
        if (!problems.isEmpty()) {
            throw new InvalidConstraintException(
                    "@UniqueBy on %s: %s.".formatted(type.getSimpleName(), String.join(". ", problems)),
                    "Change the table's options.");
        }
        return constrained;
    }

    private TableMetadata table(CassandraPersistentEntity<?> entity, Class<?> type) {
        return TableLookup.of(session.getMetadata(), session.getKeyspace().orElse(null))
                .findTable(entity.getKeyspace(), entity.getTableName())
                .orElseThrow(() -> new InvalidConstraintException(
                        "@UniqueBy on %s: the session's schema metadata has no table %s."
                                .formatted(
                                        type.getSimpleName(),
                                        entity.getTableName().asCql(true)),
                        "Create the table first, and keep the driver's schema metadata enabled."));
    }

    private static void requireNoVersion(CassandraPersistentEntity<?> entity, Class<?> type) {
        if (entity.hasVersionProperty()) {
            throw new InvalidConstraintException(
                    "@UniqueBy on %s: %s has a @Version, so that its rows are written by conditions and carry no timestamp of their own."
                            .formatted(type.getSimpleName(), entity.getType().getSimpleName()),
                    "Take @Version away, or guard the value without the entity, by UniqueGuard.claim.");
        }
    }
}
