package io.surewrite.repository;

import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.write.InvalidConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** The constraints of a repository's table: those on its interface, and those on single methods. */
record RepositoryConstraints(List<UniqueConstraint> ofInterface, Map<Method, List<UniqueConstraint>> ofMethods) {

    static boolean isAnnotated(Class<?> repository) {
        return !annotations(repository).isEmpty()
                || Arrays.stream(repository.getMethods())
                        .anyMatch(method -> !annotations(method).isEmpty());
    }

    static RepositoryConstraints of(Class<?> repository, BiFunction<UniqueBy, String, UniqueConstraint> read) {
        String name = repository.getSimpleName();
        List<InvalidConfigurationException> refusals = new ArrayList<>();
        List<UniqueConstraint> ofInterface = read(repository, name, read, refusals);
        Map<Method, List<UniqueConstraint>> ofMethods = new LinkedHashMap<>();
        for (Method method : repository.getMethods()) {
            List<UniqueConstraint> found = read(method, name + "." + method.getName(), read, refusals);
            if (!found.isEmpty() && !method.isBridge()) {
                ofMethods.put(method, found);
            }
        }
        if (!refusals.isEmpty()) {
            throw InvalidConfigurationException.all(refusals);
        }
        return new RepositoryConstraints(ofInterface, ofMethods);
    }

    private static List<UniqueConstraint> read(
            AnnotatedElement place,
            String name,
            BiFunction<UniqueBy, String, UniqueConstraint> read,
            List<InvalidConfigurationException> refusals) {
        List<UniqueConstraint> found = new ArrayList<>();
        for (UniqueBy annotation : annotations(place)) {
            try {
                found.add(read.apply(annotation, name));
            } catch (InvalidConfigurationException refused) {
                refusals.add(refused);
            }
        }
        return found;
    }

    private static List<UniqueBy> annotations(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(UniqueBy.class)
                .map(MergedAnnotation::synthesize)
                .distinct()
                .toList();
    }

    List<UniqueConstraint> of(Method method) {
        return ofMethods.getOrDefault(method, List.of());
    }

    List<UniqueConstraint> all() {
        return Stream.concat(ofInterface.stream(), ofMethods.values().stream().flatMap(List::stream))
                .distinct()
                .toList();
    }

    static InvalidConfigurationException wrong(String where, String problem, String action) {
        return new InvalidConfigurationException(
                where, "@UniqueBy on %s: %s.".formatted(where, problem), action, "unique");
    }
}
