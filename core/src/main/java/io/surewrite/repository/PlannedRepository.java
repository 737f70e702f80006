package io.surewrite.repository;

import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.TableLookup;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.internal.session.TemplateScope;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.ReactiveOverwriteRepository;
import io.surewrite.session.SureSession;
import io.surewrite.write.InvalidConfigurationException;
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

/** A repository whose proxy is being made, and what its methods do. */
record PlannedRepository(
        RepositoryInformation information, NamedQueries named, SureSession own, boolean savesOverwrite) {

    /** As {@link org.springframework.data.repository.query.parser.PartTree} reads a method's name. */
    private static final Pattern DERIVED_DELETE = Pattern.compile("(delete|remove)(\\p{Lu}.*?)??By.*");

    static final Set<Class<?>> SPRING_DATA =
            Set.of(SimpleCassandraRepository.class, SimpleReactiveCassandraRepository.class);

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

    /** Has what the template sends go by the guards. */
    void enter(StatementGuards guards, String page) {
        if (!TemplateScope.enter(own.template(), guards)) {
            throw new InvalidConfigurationException(
                    type().getSimpleName(),
                    "%s: its template sends statements in a way of its own, which nobody can guard or settle"
                            .formatted(type().getSimpleName()),
                    "Make it of a CqlTemplate, or a ReactiveCqlTemplate.",
                    page);
        }
    }

    boolean hasOverwrites() {
        return OverwriteRepository.class.isAssignableFrom(type())
                || ReactiveOverwriteRepository.class.isAssignableFrom(type());
    }

    /** Whether it makes sure writes without a retry. */
    boolean isGuarded() {
        return RepositoryConstraints.isAnnotated(type()) || savesOverwrite || hasOverwrites();
    }

    String operation(Method method) {
        return IdempotentPlans.operation(method, type());
    }

    @Nullable
    Mutation mutation(Method method) {
        if (method.isDefault()) {
            return null;
        }
        if (information.isCustomMethod(method)) { // also of an interface that declares it again, with the entity's type
            return switch (hasOverwrites() ? method.getName() : "") {
                case "overwrite", "overwriteAll" -> Mutation.OVERWRITE;
                case "overwritePartition" -> Mutation.PARTITION;
                default -> null;
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

    /** Spring Data prefers that of a file; of a method that it implements, only one with {@code @Query} sends another. */
    @Nullable
    String statement(Method method) {
        Query query = AnnotatedElementUtils.findMergedAnnotation(method, Query.class);
        if (!method.isDefault() && (query != null || !information.isBaseClassMethod(method))) {
            String name = queryName(method);
            if (named.hasQuery(name)) {
                return named.getQuery(name);
            }
        }
        return query == null || !StringUtils.hasText(query.value()) ? null : query.value();
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
