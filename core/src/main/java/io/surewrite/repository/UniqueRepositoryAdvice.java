package io.surewrite.repository;

import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.InvalidConfigurationException;
import io.surewrite.cql.session.EntityLifecycle;
import io.surewrite.schema.tables.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.unique.TrustedWrite;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueScanSettings;
import io.surewrite.unique.catalog.UniqueCatalog;
import io.surewrite.unique.rows.ConstrainedTable;
import io.surewrite.unique.rows.CqlRows;
import io.surewrite.unique.scan.WholeTable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.Order;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.repository.core.RepositoryInformation;

/**
 * Guards the writes of repositories with {@link UniqueBy}: inside of the retry, outside of everything else.
 *
 * @param context has beans that normalise, and callbacks
 * @param strict whether methods that write past the guard are refused
 * @param truncates whether {@code deleteAll()} truncates, for tests
 * @param scans how {@code deleteAll()} looks at tables otherwise
 * @param inUse records the tables
 */
@Order(RepositoryMethodAdvice.UNIQUE)
public record UniqueRepositoryAdvice(
        ApplicationContext context, boolean strict, boolean truncates, UniqueScanSettings scans, TablesInUse inUse)
        implements RepositoryMethodAdvice {

    /** What the names of methods that write begin with. */
    private static final Pattern WRITES =
            Pattern.compile("(save|insert|update|upsert|overwrite|persist|delete|remove|truncate).*");

    private static final Logger log = LoggerFactory.getLogger(UniqueRepositoryAdvice.class);

    @Override
    public Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
        return RepositoryConstraints.isAnnotated(repository.type())
                ? new Planner(repository).plan()::get
                : method -> null;
    }

    /** Plans one repository with unique constraints: what goes through the guard, what is refused, and what passes by. */
    private final class Planner {

        private final PlannedRepository repository;
        private final RepositoryInformation information;
        private final Class<?> type;
        private final SureSession own;
        private final CassandraPersistentEntity<?> entity;
        private final TableMetadata table;
        private final RepositoryConstraints constraints;
        private final List<String> bypasses = new ArrayList<>();
        private final List<String> unseen = new ArrayList<>();
        private final boolean guardsBaseClass;

        Planner(PlannedRepository repository) {
            this.repository = repository;
            this.information = repository.information();
            this.type = repository.type();
            this.own = repository.own();
            this.entity = repository.entity();
            requireNoVersion();
            this.table = repository
                    .table()
                    .orElseThrow(() -> wrong(
                            "the session's schema metadata has no table "
                                    + entity.getTableName().asCql(true),
                            "Create the table first, and keep the driver's schema metadata enabled."));
            this.constraints = constraints();
            this.guardsBaseClass = guardsBaseClass();
        }

        private boolean guardsBaseClass() {
            boolean reactive = information.isReactiveRepository();
            Class<?> base = information.getRepositoryBaseClass();
            if (!GuardedBaseClass.isExtended(base, reactive)) {
                return false;
            }
            Map<RepositoryMutation, Function<Object, @Nullable Object>> writes =
                    new EnumMap<>(RepositoryMutation.class);
            for (RepositoryMutation mutation :
                    List.of(RepositoryMutation.SAVE, RepositoryMutation.INSERT, RepositoryMutation.DELETE)) {
                writes.put(mutation, guardedMethod(mutation, constraints.all()).one(reactive));
            }
            return new GuardedBaseClass(
                            own.template(),
                            entity,
                            own.converter().getMappingContext(),
                            writes,
                            deletion(),
                            reactive,
                            GuardedBaseClass.isTrusted(base))
                    .guards(repository.target());
        }

        private void requireNoVersion() {
            if (entity.hasVersionProperty()) {
                throw wrong(
                        entity.getType().getSimpleName()
                                + " has a @Version, so that its rows are written by conditions and carry no timestamp of their own",
                        "Take @Version away, or guard the value without the entity, by UniqueGuard.claim.");
            }
        }

        private InvalidConfigurationException wrong(String problem, String fix) {
            return RepositoryConstraints.wrong(type.getSimpleName(), problem, fix);
        }

        private RepositoryConstraints constraints() {
            String name = qualifiedName();
            Map<String, UniqueConstraint> byName = new HashMap<>(); // several methods may share a constraint
            return RepositoryConstraints.of(type, (annotation, where) -> {
                ConstraintReader.Read read = new ConstraintReader(
                                own.converter().getMappingContext(), context, entity, table, where)
                        .read(annotation);
                UniqueConstraint constraint = read.constraint();
                own.uniqueCatalog()
                        .add(
                                constraint,
                                name,
                                read.definition(),
                                () -> constrained(List.of(constraint)).rows(),
                                new ConstraintMapping(
                                        own.converter(),
                                        new EntityLifecycle(context),
                                        read.properties(),
                                        table.getName()),
                                type.getSimpleName());
                return byName.computeIfAbsent(constraint.name(), added -> constraint);
            });
        }

        private String qualifiedName() {
            return table.getKeyspace().asCql(true) + "." + table.getName().asCql(true);
        }

        private ConstrainedTable constrained(List<UniqueConstraint> some) {
            ConstrainedTable constrained;
            try {
                constrained = ConstrainedTable.of(own.session(), own.converter(), entity, table, some);
            } catch (IllegalArgumentException wrong) {
                throw wrong(
                        String.valueOf(wrong.getMessage()),
                        "Change the table, or guard the value without an entity, by UniqueGuard.claim.");
            }
            List<String> problems = constrained.rows().problems();
            if (!problems.isEmpty()) {
                throw wrong(String.join(". ", problems), "Change the table's options.");
            }
            return constrained;
        }

        private MethodInterceptor guarded(RepositoryMutation mutation, List<UniqueConstraint> by) {
            return guardedMethod(mutation, by).interceptor(information.isReactiveRepository());
        }

        private GuardedMethod guardedMethod(RepositoryMutation mutation, List<UniqueConstraint> by) {
            return new GuardedMethod(
                    mutation,
                    mutation == RepositoryMutation.OVERWRITE
                            || (mutation == RepositoryMutation.SAVE && repository.savesOverwrite()),
                    own::overwriteFactory,
                    own.uniqueGuard(),
                    entity,
                    constrained(by),
                    new EntityLifecycle(context));
        }

        Map<Method, MethodInterceptor> plan() {
            ConstrainedQueries queries = new ConstrainedQueries(constraints.columns());
            Map<Method, MethodInterceptor> plans = new HashMap<>();
            List<InvalidConfigurationException> refusals = new ArrayList<>();
            for (Method method : type.getMethods()) {
                if (Modifier.isStatic(method.getModifiers())
                        || method.isBridge() // which calls what it stands for
                        || callsOverridden(method)) { // which goes on by the operations, which are guarded
                    continue;
                }
                try {
                    MethodInterceptor plan = plan(method, queries);
                    if (plan != null) {
                        plans.put(method, plan);
                    }
                } catch (InvalidConfigurationException refused) {
                    refusals.add(refused);
                }
            }
            if (!refusals.isEmpty()) {
                throw InvalidConfigurationException.all(refusals);
            }
            noteOtherRepositories();
            report();
            inUse.add(
                    own.session(),
                    table,
                    "@UniqueBy of " + type.getSimpleName(),
                    now -> CqlRows.problems(now, constraints.all()));
            return plans;
        }

        /** Of the same table: each would write past what only another one guards. */
        private void noteOtherRepositories() {
            List<UniqueCatalog.Entry> entries = own.uniqueCatalog().entries().stream()
                    .filter(entry -> entry.table().equals(qualifiedName()))
                    .toList();
            entries.stream()
                    .flatMap(entry -> entry.repositories().stream())
                    .distinct()
                    .forEach(each -> entries.stream()
                            .filter(entry -> !entry.repositories().contains(each))
                            .forEach(entry -> bypasses.add("%s does not guard %s, as %s does"
                                    .formatted(
                                            each,
                                            entry.constraint().name(),
                                            String.join(", ", entry.repositories())))));
        }

        /** Whether the base class has the method, or Spring Data's calls one that it overrides. */
        private boolean callsOverridden(Method method) {
            if (!guardsBaseClass || method.isDefault() || !information.isBaseClassMethod(method)) {
                return false;
            }
            boolean overwrites = repository.savesOverwrite();
            String called = switch (method.getName()) {
                case "saveAll" -> overwrites ? "saveAll" : "save";
                case "delete" -> "deleteById";
                default -> method.getName();
            };
            return isOverridden(information.getTargetClassMethod(method))
                    || (!called.equals(method.getName())
                            && Arrays.stream(
                                            information.getRepositoryBaseClass().getMethods())
                                    .anyMatch(each -> each.getName().equals(called) && isOverridden(each)));
        }

        private boolean isOverridden(Method method) {
            return GuardedBaseClass.isExtended(method.getDeclaringClass(), information.isReactiveRepository());
        }

        private @Nullable MethodInterceptor plan(Method method, ConstrainedQueries queries) {
            RepositoryMutation mutation = repository.mutation(method);
            requireEntityWrite(method, mutation);
            return mutation == null ? own(method, queries) : plan(method, mutation);
        }

        private void requireEntityWrite(Method method, @Nullable RepositoryMutation mutation) {
            if (!constraints.of(method).isEmpty() && (mutation == null || !mutation.writesEntities())) {
                throw new InvalidConfigurationException(
                        repository.operation(method),
                        "@UniqueBy is on %s, which %s."
                                .formatted(
                                        repository.operation(method),
                                        mutation == null
                                                ? "writes no entity that Surewrite could see"
                                                : "deletes; deletions always free what was claimed"),
                        "Put it on the repository's interface, or on save, saveAll, insert or overwrite.",
                        "unique");
            }
        }

        private @Nullable MethodInterceptor plan(Method method, RepositoryMutation mutation) {
            return switch (mutation) {
                case SAVE, INSERT, OVERWRITE -> write(method, mutation);
                case DELETE -> guarded(mutation, constraints.all());
                case TRUNCATE -> deletion().interceptor(information.isReactiveRepository());
                case PARTITION ->
                    refused(
                            method,
                            "deletes rows without looking at them, which leaves their claims. Instead, overwrite and delete rows one by one");
            };
        }

        private GuardedDeleteAll deletion() {
            ConstrainedTable constrained = constrained(constraints.all());
            return new GuardedDeleteAll(
                    new WholeTable(own.uniqueGuard(), constrained.rows(), scans),
                    truncates,
                    () -> own.uniqueCatalog().entries().stream()
                            .filter(entry -> entry.table().equals(qualifiedName()))
                            .map(entry -> entry.constraint().name())
                            .collect(Collectors.toSet()),
                    entity,
                    constrained.deleteStatement(),
                    context);
        }

        private @Nullable MethodInterceptor write(Method method, RepositoryMutation mutation) {
            List<UniqueConstraint> guarding = constraints.guarding(method);
            List<String> missing = constraints.all().stream()
                    .filter(constraint -> !guarding.contains(constraint))
                    .map(UniqueConstraint::name)
                    .toList();
            if (!missing.isEmpty()) {
                bypasses.add(
                        "%s does not guard %s".formatted(repository.operation(method), String.join(", ", missing)));
            }
            return guarding.isEmpty() ? null : guarded(mutation, guarding);
        }

        /** Inherited methods are refused when they are called; what the application asks for itself, at once. */
        private MethodInterceptor refused(Method method, String reason) {
            String problem = "%s %s".formatted(repository.operation(method), reason);
            if (method.getDeclaringClass() == type) {
                throw new InvalidConfigurationException(
                        repository.operation(method),
                        problem + ".",
                        "Take the method, or the unique constraint, out of the repository.",
                        "unique");
            }
            return invocation -> {
                throw new InvalidDataAccessApiUsageException(problem);
            };
        }

        private @Nullable MethodInterceptor own(Method method, ConstrainedQueries queries) {
            String harm = queries.harm(repository, method);
            if (harm != null) {
                throw new InvalidConfigurationException(
                        repository.operation(method),
                        "%s %s.".formatted(repository.operation(method), harm),
                        repository.isDerivedDelete(method)
                                ? "Find the rows by a method such as findBy..., and pass them to deleteAll(entities)."
                                : "Read the entity, and pass it to save, or to delete, deleteById or deleteAll(entities).",
                        "unique");
            }
            boolean byTheApplication = !method.isDefault()
                    && (information.isCustomMethod(method) || information.isBaseClassMethod(method));
            if (byTheApplication && WRITES.matcher(method.getName()).matches() && !isTrusted(method)) {
                unseen.add(repository.operation(method) + " is the application's own code");
            }
            return null;
        }

        private boolean isTrusted(Method method) {
            return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(TrustedWrite.class)
                    || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), TrustedWrite.class)
                    || (information.isBaseClassMethod(method)
                            && GuardedBaseClass.isTrusted(information.getRepositoryBaseClass()));
        }

        private void report() {
            if (!unseen.isEmpty()) {
                throw new InvalidConfigurationException(
                        type.getSimpleName(),
                        "Surewrite cannot see whether these methods of %s write past unique constraints:\n - %s"
                                .formatted(
                                        type.getSimpleName(),
                                        String.join(
                                                "\n - ",
                                                unseen.stream().sorted().toList())),
                        "For a save of your own, use a BeforeConvertCallback, or a repository base class that extends %s and calls super.save. If a method writes no constrained column and deletes no row, or does so by guarded methods, say so by @TrustedWrite on it."
                                .formatted(GuardedBaseClass.springs(information.isReactiveRepository())
                                        .getSimpleName()),
                        "unique");
            }
            if (bypasses.isEmpty()) {
                return;
            }
            String all = String.join("\n - ", bypasses.stream().sorted().toList());
            if (strict) {
                throw new InvalidConfigurationException(
                        type.getSimpleName(),
                        "Some methods may write past unique constraints:\n - %s".formatted(all),
                        "Put @UniqueBy on the interface of each repository of the table, or allow them by surewrite.unique.strict=false.",
                        "unique");
            }
            log.warn("Some methods may write past unique constraints:\n - {}", all);
        }
    }
}
