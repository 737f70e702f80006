package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.unique.InvalidConstraintException;
import io.surewrite.unique.Normalisation;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueNormaliser;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;

/** The constraints of a repository: those of its interface, and those of single methods. */
final class RepositoryConstraints {

    private final List<UniqueConstraint> ofInterface;
    private final Map<Method, List<UniqueConstraint>> ofMethods;

    private RepositoryConstraints(List<UniqueConstraint> ofInterface, Map<Method, List<UniqueConstraint>> ofMethods) {
        this.ofInterface = ofInterface;
        this.ofMethods = ofMethods;
    }

    static boolean isAnnotated(Class<?> repository) {
        return !annotations(repository).isEmpty()
                || Arrays.stream(repository.getMethods())
                        .anyMatch(method -> !annotations(method).isEmpty());
    }

    /**
     * @param read makes a constraint of an annotation and the name of its place; the same one for the same constraint
     */
    static RepositoryConstraints of(Class<?> repository, BiFunction<UniqueBy, String, UniqueConstraint> read) {
        String name = repository.getSimpleName();
        List<UniqueConstraint> ofInterface = annotations(repository).stream()
                .map(annotation -> read.apply(annotation, name))
                .toList();
        Map<Method, List<UniqueConstraint>> ofMethods = new LinkedHashMap<>();
        for (Method method : repository.getMethods()) {
            List<UniqueConstraint> found = annotations(method).stream()
                    .map(annotation -> read.apply(annotation, name + "." + method.getName()))
                    .toList();
            if (!found.isEmpty() && !method.isBridge()) {
                ofMethods.put(method, found);
            }
        }
        return new RepositoryConstraints(ofInterface, ofMethods);
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

    /** What a method is guarded by. */
    List<UniqueConstraint> guarding(Method method) {
        return Stream.concat(ofInterface.stream(), of(method).stream())
                .distinct()
                .toList();
    }

    List<UniqueConstraint> all() {
        return Stream.concat(ofInterface.stream(), ofMethods.values().stream().flatMap(List::stream))
                .distinct()
                .toList();
    }

    Set<CqlIdentifier> columns() {
        return all().stream()
                .flatMap(constraint -> constraint.components().stream())
                .map(UniqueComponent::column)
                .collect(Collectors.toSet());
    }

    /**
     * A constraint as it was read.
     *
     * @param constraint the constraint
     * @param definition what it is made of, to compare it with another of the same name
     */
    record Read(UniqueConstraint constraint, String definition) {}

    /**
     * Makes constraints of annotations, and refuses what cannot be one.
     *
     * @param beans has those that normalise
     */
    record Reader(
            CassandraMappingContext mapping,
            BeanFactory beans,
            CassandraPersistentEntity<?> entity,
            TableMetadata table) {

        /**
         * @param where the annotated interface or method, for messages
         */
        Read read(UniqueBy annotation, String where) {
            List<Part> parts = parts(annotation, where);
            PropertyPaths paths = new PropertyPaths(mapping, table, where);
            List<UniqueComponent> components = new ArrayList<>();
            List<String> texts = new ArrayList<>();
            for (Part part : parts) {
                UniqueComponent component = paths.resolve(entity, part.path());
                components.add(component.normalised(normaliser(part, where)));
                texts.add(text(component, part));
            }
            String definition = String.join("+", texts);
            String name =
                    annotation.name().isEmpty() ? table.getName().asInternal() + "." + definition : annotation.name();
            try {
                UniqueConstraint constraint = new UniqueConstraint(name, components, annotation.nulls());
                return new Read(constraint, definition + " nulls=" + annotation.nulls());
            } catch (IllegalArgumentException wrong) {
                throw new InvalidConstraintException(
                        "@UniqueBy on %s: %s.".formatted(where, wrong.getMessage()), "Give it a shorter name.");
            }
        }

        private record Part(String path, List<Normalisation> normalise, List<String> normalisers) {}

        private static List<Part> parts(UniqueBy annotation, String where) {
            boolean byValue = annotation.value().length > 0;
            boolean byParts = annotation.parts().length > 0;
            if (byValue == byParts) {
                throw new InvalidConstraintException(
                        "@UniqueBy on %s names %s.".formatted(where, byValue ? "its properties twice" : "no property"),
                        "Write @UniqueBy(\"property\"), or parts = {@Part(...), ...} where they differ in what counts as equal.");
            }
            if (byParts && (annotation.normalise().length > 0 || annotation.normalisers().length > 0)) {
                throw new InvalidConstraintException(
                        "@UniqueBy on %s has normalisers beside its parts.".formatted(where),
                        "Move them into each @Part that they are for.");
            }
            Stream<Part> parts = byValue
                    ? Arrays.stream(annotation.value())
                            .map(path ->
                                    new Part(path, List.of(annotation.normalise()), List.of(annotation.normalisers())))
                    : Arrays.stream(annotation.parts())
                            .map(part ->
                                    new Part(part.value(), List.of(part.normalise()), List.of(part.normalisers())));
            return parts.toList();
        }

        private UniqueNormaliser normaliser(Part part, String where) {
            UniqueNormaliser all = UniqueNormaliser.EXACT;
            for (Normalisation one : part.normalise()) {
                all = all.then(one.normaliser());
            }
            for (String bean : part.normalisers()) {
                try {
                    all = all.then(beans.getBean(bean, UniqueNormaliser.class));
                } catch (NoSuchBeanDefinitionException missing) {
                    throw new InvalidConstraintException(
                            "@UniqueBy on %s wants the normaliser '%s', but there is no such bean."
                                    .formatted(where, bean),
                            "Define a UniqueNormaliser bean of that name.");
                }
            }
            return all;
        }

        /** With other normalisers it is another constraint, so they are part of its name. */
        private static String text(UniqueComponent component, Part part) {
            String column = Stream.concat(Stream.of(component.column()), component.fields().stream())
                    .map(CqlIdentifier::asInternal)
                    .collect(Collectors.joining("."));
            List<String> normalisers = Stream.concat(
                            part.normalise().stream().map(one -> one.name().toLowerCase(Locale.ROOT)),
                            part.normalisers().stream())
                    .toList();
            return normalisers.isEmpty() ? column : column + "~" + String.join("~", normalisers);
        }
    }
}
