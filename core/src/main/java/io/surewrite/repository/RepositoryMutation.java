package io.surewrite.repository;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.ReactiveOverwriteRepository;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.support.SimpleCassandraRepository;
import org.springframework.data.cassandra.repository.support.SimpleReactiveCassandraRepository;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.core.NamedQueries;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.util.StringUtils;

/** What a method of Spring Data's or ours, not of the application's, does to rows. */
enum RepositoryMutation {
    SAVE,
    INSERT,
    OVERWRITE,
    DELETE,
    TRUNCATE,
    PARTITION;

    /** As {@link org.springframework.data.repository.query.parser.PartTree} reads a method's name. */
    private static final Pattern DERIVED_DELETE = Pattern.compile("(delete|remove)(\\p{Lu}.*?)??By.*");

    private static final Set<Class<?>> SPRING_DATA =
            Set.of(SimpleCassandraRepository.class, SimpleReactiveCassandraRepository.class);

    private static final Set<String> OVERWRITES =
            Set.of("overwrite", "overwriteAll", "insertNew", "overwritePartition");

    /** What the method does, or null if it writes nothing or is the application's own. */
    static @Nullable RepositoryMutation of(RepositoryInformation repository, Method method) {
        if (method.isDefault()) {
            return null;
        }
        if (isOfOverwriteRepository(repository, method)) {
            return switch (method.getName()) {
                case "overwrite", "overwriteAll" -> OVERWRITE;
                case "insertNew" -> INSERT;
                default -> PARTITION;
            };
        }
        if (!repository.isBaseClassMethod(method)
                || !SPRING_DATA.contains(repository.getTargetClassMethod(method).getDeclaringClass())) {
            return null;
        }
        return switch (method.getName()) {
            case "save", "saveAll" -> SAVE;
            case "insert" -> INSERT;
            case "delete", "deleteById", "deleteAllById" -> DELETE;
            case "deleteAll" -> Signature.parameterCount(method) == 0 ? TRUNCATE : DELETE;
            default -> null;
        };
    }

    boolean writesEntities() {
        return this == SAVE || this == INSERT || this == OVERWRITE;
    }

    /** Also where the repository's interface declares it again, with the entity's type. */
    private static boolean isOfOverwriteRepository(RepositoryInformation repository, Method method) {
        Class<?> type = repository.getRepositoryInterface();
        return repository.isCustomMethod(method)
                && OVERWRITES.contains(method.getName())
                && (OverwriteRepository.class.isAssignableFrom(type)
                        || ReactiveOverwriteRepository.class.isAssignableFrom(type));
    }

    /** The statement of a file or, if none has one, of the method's annotation; null if neither states one. */
    static @Nullable String statement(RepositoryInformation repository, NamedQueries named, Method method) {
        if (mayBeNamed(repository, method)) {
            String name = queryName(repository, method);
            if (named.hasQuery(name)) {
                return named.getQuery(name);
            }
        }
        Query query = AnnotatedElementUtils.findMergedAnnotation(method, Query.class);
        return query == null || !StringUtils.hasText(query.value()) ? null : query.value();
    }

    /** Of a method that Spring Data implements, only one with {@code @Query} sends another statement. */
    private static boolean mayBeNamed(RepositoryInformation repository, Method method) {
        return !method.isDefault()
                && (!repository.isBaseClassMethod(method) || AnnotatedElementUtils.hasAnnotation(method, Query.class));
    }

    /** As {@link org.springframework.data.repository.query.QueryMethod#getNamedQueryName} makes it. */
    private static String queryName(RepositoryInformation repository, Method method) {
        Class<?> domain = repository.getDomainType();
        Class<?> returned = repository.getReturnedDomainClass(method);
        return (domain.isAssignableFrom(returned) ? returned : domain).getSimpleName() + "." + method.getName();
    }

    static boolean isDerivedDelete(RepositoryInformation repository, Method method) {
        return isDerived(repository, method)
                && DERIVED_DELETE.matcher(method.getName()).matches();
    }

    /** Not of a fragment, even if declared again, and not the interface's own code: Spring Data makes the statement from the name. */
    static boolean isDerived(RepositoryInformation repository, Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return !method.isDefault()
                && !repository.isCustomMethod(method)
                && (declaring == repository.getRepositoryInterface() || Repository.class.isAssignableFrom(declaring));
    }
}
