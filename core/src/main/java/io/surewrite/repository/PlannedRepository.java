package io.surewrite.repository;

import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.TableLookup;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.ReactiveOverwriteRepository;
import io.surewrite.session.SureSession;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.support.SimpleCassandraRepository;
import org.springframework.data.cassandra.repository.support.SimpleReactiveCassandraRepository;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.core.NamedQueries;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.util.StringUtils;

/**
 * A repository whose proxy is being made, and what its methods do.
 *
 * @param named statements from files, which Spring Data prefers to those on methods
 * @param own what belongs to the repository: all that hangs on its template
 */
record PlannedRepository(
        RepositoryInformation information, NamedQueries named, SureSession own, boolean savesOverwrite) {

    /** As {@link org.springframework.data.repository.query.parser.PartTree} reads a method's name. */
    private static final Pattern DERIVED_DELETE = Pattern.compile("(delete|remove)(\\p{Lu}.*?)??By.*");

    static final Set<Class<?>> SPRING_DATA =
            Set.of(SimpleCassandraRepository.class, SimpleReactiveCassandraRepository.class);

    private static final Set<String> OVERWRITES = Set.of("overwrite", "overwriteAll", "overwritePartition");

    Class<?> type() {
        return information.getRepositoryInterface();
    }

    CassandraPersistentEntity<?> entity() {
        return own.converter().getMappingContext().getRequiredPersistentEntity(information.getDomainType());
    }

    TableLookup schema() {
        return TableLookup.of(own.session());
    }

    Optional<TableMetadata> table() {
        return schema().findTable(entity().getKeyspace(), entity().getTableName());
    }

    String operation(Method method) {
        return IdempotentPlans.operation(method, type());
    }

    /** What the method does, or null if it writes nothing or is the application's own. */
    @Nullable
    Mutation mutation(Method method) {
        if (method.isDefault()) {
            return null;
        }
        if (isOfOverwriteRepository(method)) {
            return switch (method.getName()) {
                case "overwrite", "overwriteAll" -> Mutation.OVERWRITE;
                default -> Mutation.PARTITION;
            };
        }
        if (!information.isBaseClassMethod(method)
                || !SPRING_DATA.contains(
                        information.getTargetClassMethod(method).getDeclaringClass())) {
            return null;
        }
        return switch (method.getName()) {
            case "save", "saveAll" -> Mutation.SAVE;
            case "insert" -> Mutation.INSERT;
            case "delete", "deleteById", "deleteAllById" -> Mutation.DELETE;
            case "deleteAll" -> Signature.parameterCount(method) == 0 ? Mutation.TRUNCATE : Mutation.DELETE;
            default -> null;
        };
    }

    /** Whether the method compares the versions of entities; by an id alone, Spring Data deletes without. */
    boolean isVersioned(Method method) {
        Mutation mutation = mutation(method);
        return entity().hasVersionProperty()
                && (mutation == Mutation.SAVE
                        || mutation == Mutation.INSERT
                        || (mutation == Mutation.DELETE && !method.getName().contains("ById")));
    }

    /** Also where the repository's interface declares it again, with the entity's type. */
    private boolean isOfOverwriteRepository(Method method) {
        return information.isCustomMethod(method)
                && OVERWRITES.contains(method.getName())
                && (OverwriteRepository.class.isAssignableFrom(type())
                        || ReactiveOverwriteRepository.class.isAssignableFrom(type()));
    }

    /** The statement of a file or, if none has one, of the method's annotation; null if neither states one. */
    @Nullable
    String statement(Method method) {
        if (mayBeNamed(method)) {
            String name = queryName(method);
            if (named.hasQuery(name)) {
                return named.getQuery(name);
            }
        }
        Query query = AnnotatedElementUtils.findMergedAnnotation(method, Query.class);
        return query == null || !StringUtils.hasText(query.value()) ? null : query.value();
    }

    /** Of a method that Spring Data implements, only one with {@code @Query} sends another statement. */
    private boolean mayBeNamed(Method method) {
        return !method.isDefault()
                && (!information.isBaseClassMethod(method) || AnnotatedElementUtils.hasAnnotation(method, Query.class));
    }

    /** As {@link org.springframework.data.repository.query.QueryMethod#getNamedQueryName} makes it. */
    private String queryName(Method method) {
        Class<?> domain = information.getDomainType();
        Class<?> returned = information.getReturnedDomainClass(method);
        return (domain.isAssignableFrom(returned) ? returned : domain).getSimpleName() + "." + method.getName();
    }

    boolean isDerivedDelete(Method method) {
        return isDerived(method) && DERIVED_DELETE.matcher(method.getName()).matches();
    }

    /** Not of a fragment, even if declared again, and not the interface's own code: Spring Data makes the statement from the name. */
    boolean isDerived(Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return !method.isDefault()
                && !information.isCustomMethod(method)
                && (declaring == type() || Repository.class.isAssignableFrom(declaring));
    }

    /** What a method of Spring Data's or ours, not of the application's, does to rows. */
    enum Mutation {
        SAVE,
        INSERT,
        OVERWRITE,
        DELETE,
        TRUNCATE,
        PARTITION;

        boolean writesEntities() {
            return this == SAVE || this == INSERT || this == OVERWRITE;
        }
    }
}
