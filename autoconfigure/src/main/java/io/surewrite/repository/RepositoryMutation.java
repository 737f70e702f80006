package io.surewrite.repository;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.ReactiveOverwriteRepository;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.repository.support.SimpleCassandraRepository;
import org.springframework.data.cassandra.repository.support.SimpleReactiveCassandraRepository;
import org.springframework.data.repository.core.RepositoryInformation;

/** What a method of Spring Data's or ours, not of the application's, does to rows. */
enum RepositoryMutation {
    SAVE,
    INSERT,
    OVERWRITE,
    DELETE,
    TRUNCATE,
    PARTITION;

    private static final Set<Class<?>> SPRING_DATA =
            Set.of(SimpleCassandraRepository.class, SimpleReactiveCassandraRepository.class);

    private static final Set<String> OVERWRITES =
            Set.of("overwrite", "overwriteAll", "insertNew", "overwritePartition");

    /** What the method does, or null if it writes nothing or is somebody else's. */
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
            case "deleteAll" -> method.getParameterCount() == 0 ? TRUNCATE : DELETE;
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
}
