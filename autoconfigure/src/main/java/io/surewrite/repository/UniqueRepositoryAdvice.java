package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.analysis.TableLookup;
import io.surewrite.overwrite.EntityLifecycle;
import io.surewrite.schema.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.unique.ConstrainedTable;
import io.surewrite.unique.CqlRows;
import io.surewrite.unique.InvalidConstraintException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueConstraint;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.repository.core.RepositoryInformation;

/** Guards the writes of repositories with {@link UniqueBy}: inside of the retry, outside of everything else. */
public final class UniqueRepositoryAdvice implements RepositoryMethodAdvice, Ordered {

    private final ApplicationContext context;
    private final boolean strict;
    private final BooleanSupplier savesOverwrite;
    private final TablesInUse inUse;
    private final Map<Repository, Map<Method, MethodInterceptor>> plans = new ConcurrentHashMap<>();

    /** One interface may have a repository on each of several templates. */
    private record Repository(Class<?> type, SureSession own) {}

    /**
     * Creates the advice.
     *
     * @param context has beans that normalise, and callbacks
     * @param strict whether methods that write past the guard are refused
     * @param savesOverwrite whether {@code save} overwrites where the repository does not say
     * @param inUse hears of the tables
     */
    public UniqueRepositoryAdvice(
            ApplicationContext context, boolean strict, BooleanSupplier savesOverwrite, TablesInUse inUse) {
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
    public @Nullable MethodInterceptor plan(RepositoryInformation repository, Method method, SureSession own) {
        Class<?> type = repository.getRepositoryInterface();
        if (!RepositoryConstraints.isAnnotated(type)) {
            return null;
        }
        return plans.computeIfAbsent(new Repository(type, own), added -> plan(repository, own))
                .get(method);
    }

    private Map<Method, MethodInterceptor> plan(RepositoryInformation repository, SureSession own) {
        Class<?> type = repository.getRepositoryInterface();
        CassandraPersistentEntity<?> entity =
                own.converter().getMappingContext().getRequiredPersistentEntity(repository.getDomainType());
        requireNoVersion(entity, type);
        TableMetadata table = table(entity, type, own.session());
        RepositoryConstraints constraints = constraints(type, entity, table, own);
        Function<List<UniqueConstraint>, ConstrainedTable> tables = some -> constrained(type, entity, table, own, some);
        boolean overwrites = OverwritingRepositories.overwrites(type, savesOverwrite);
        GuardedTables guarded = repository.isReactiveRepository()
                ? reactive(own, entity, tables, overwrites)
                : blocking(own, entity, tables, overwrites);
        Map<Method, MethodInterceptor> planned = new UniquePlanner(repository, constraints, guarded).plan(strict);
        inUse.add(
                own.session(),
                table,
                "@UniqueBy of " + type.getSimpleName(),
                now -> CqlRows.problems(now, constraints.all()));
        return planned;
    }

    private GuardedTables blocking(
            SureSession own,
            CassandraPersistentEntity<?> entity,
            Function<List<UniqueConstraint>, ConstrainedTable> tables,
            boolean overwrites) {
        EntityLifecycle.Blocking lifecycle = new EntityLifecycle(context).blocking();
        return (mutation, some) -> new UniqueInterceptor(
                mutation,
                overwrites,
                new GuardedEntities(
                        own.uniqueGuard(), tables.apply(some), own::overwriteFactory, entity, lifecycle, context));
    }

    private GuardedTables reactive(
            SureSession own,
            CassandraPersistentEntity<?> entity,
            Function<List<UniqueConstraint>, ConstrainedTable> tables,
            boolean overwrites) {
        EntityLifecycle.Reactive lifecycle = new EntityLifecycle(context).reactive();
        return (mutation, some) -> new ReactiveUniqueInterceptor(
                mutation,
                overwrites,
                new ReactiveGuardedEntities(
                        own.uniqueGuard(), tables.apply(some), own::overwriteFactory, entity, lifecycle, context));
    }

    private RepositoryConstraints constraints(
            Class<?> type, CassandraPersistentEntity<?> entity, TableMetadata table, SureSession own) {
        ConstraintReader reader = new ConstraintReader(own.converter().getMappingContext(), context);
        String name = table.getKeyspace().asCql(true) + "." + table.getName().asCql(true);
        Map<String, UniqueConstraint> byName = new HashMap<>(); // several methods may share a constraint
        return RepositoryConstraints.of(type, (annotation, where) -> {
            ConstraintReader.Read read = reader.read(annotation, entity, table, where);
            own.uniqueCatalog()
                    .add(
                            read.constraint(),
                            name,
                            read.definition(),
                            () -> constrained(type, entity, table, own, List.of(read.constraint()))
                                    .rows(),
                            type.getSimpleName());
            return byName.computeIfAbsent(read.constraint().name(), added -> read.constraint());
        });
    }

    private ConstrainedTable constrained(
            Class<?> type,
            CassandraPersistentEntity<?> entity,
            TableMetadata table,
            SureSession own,
            List<UniqueConstraint> some) {
        ConstrainedTable constrained;
        try {
            constrained = new ConstrainedTable(
                    own.session(),
                    own.converter(),
                    entity,
                    table,
                    EntityColumns.of(entity, own.converter().getMappingContext()),
                    some);
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

    private TableMetadata table(CassandraPersistentEntity<?> entity, Class<?> type, CqlSession session) {
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
