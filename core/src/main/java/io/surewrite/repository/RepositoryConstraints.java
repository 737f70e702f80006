package io.surewrite.repository;

import io.surewrite.unique.UniqueBy;
import io.surewrite.write.InvalidConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** The constraints of a repository's table: those on its interface, and those on single methods. */
final class RepositoryConstraints {

    private RepositoryConstraints() {}

    static boolean isAnnotated(Class<?> repository) {
        return isOn(repository) || Arrays.stream(repository.getMethods()).anyMatch(RepositoryConstraints::isOn);
    }

    static boolean isOn(AnnotatedElement place) {
        return !annotations(place).isEmpty();
    }

    /** Reads each, with the name of its place; what is refused is refused together. */
    static void readAll(Class<?> repository, BiConsumer<UniqueBy, String> read) {
        List<InvalidConfigurationException> refusals = new ArrayList<>();
        String name = repository.getSimpleName();
        read(repository, name, read, refusals);
        for (Method method : repository.getMethods()) {
            read(method, name + "." + method.getName(), read, refusals);
        }
        if (!refusals.isEmpty()) {
            throw InvalidConfigurationException.all(refusals);
        }
    }

    private static void read(
            AnnotatedElement place,
            String name,
            BiConsumer<UniqueBy, String> read,
            List<InvalidConfigurationException> refusals) {
        for (UniqueBy annotation : annotations(place)) {
            try {
                read.accept(annotation, name);
            } catch (InvalidConfigurationException refused) {
                refusals.add(refused);
            }
        }
    }

    private static List<UniqueBy> annotations(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(UniqueBy.class)
                .map(MergedAnnotation::synthesize)
                .distinct()
                .toList();
    }

    static InvalidConfigurationException wrong(String where, String problem, String action) {
        return new InvalidConfigurationException(
                where, "@UniqueBy on %s: %s.".formatted(where, problem), action, "unique");
    }
}
