package io.surewrite.repository;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.data.cassandra.repository.support.SimpleCassandraRepository;
import org.springframework.data.cassandra.repository.support.SimpleReactiveCassandraRepository;
import org.springframework.data.repository.core.RepositoryInformation;

/**
 * The methods of a repository that end in Spring Data's own {@code save} and {@code saveAll}; those that the application
 * has written itself, in a fragment or a base class, are not among them.
 *
 * @param methods as the repository's interface declares or inherits them
 */
record SaveMethods(Set<Method> methods) {

    static SaveMethods of(RepositoryInformation repository) {
        return of(repository, Set.of("save", "saveAll"));
    }

    /** Those of the methods that have one of these names. */
    static SaveMethods of(RepositoryInformation repository, Set<String> names) {
        return new SaveMethods(Arrays.stream(repository.getRepositoryInterface().getMethods())
                .filter(method -> names.contains(method.getName()))
                .filter(method -> method.getParameterCount() == 1 && !method.isDefault())
                .filter(repository::isBaseClassMethod)
                .filter(method ->
                        isSpringData(repository.getTargetClassMethod(method).getDeclaringClass()))
                .collect(Collectors.toUnmodifiableSet()));
    }

    private static boolean isSpringData(Class<?> declaring) {
        return declaring == SimpleCassandraRepository.class || declaring == SimpleReactiveCassandraRepository.class;
    }

    boolean isEmpty() {
        return methods.isEmpty();
    }

    boolean contains(Method method) {
        return methods.contains(method);
    }
}
