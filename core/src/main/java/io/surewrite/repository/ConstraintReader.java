package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueBy.Normalisation;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueConstraint.UniqueComponent;
import io.surewrite.unique.UniqueNormaliser;
import io.surewrite.write.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.EmbeddedEntityOperations;

/** Makes a constraint of an annotation, and refuses what cannot be one. */
record ConstraintReader(
        CassandraMappingContext mapping, BeanFactory beans, CassandraPersistentEntity<?> entity, String where) {

    /** The definition is compared with that of another constraint of the same name. */
    record Read(UniqueConstraint constraint, String definition, List<CassandraPersistentProperty> properties) {}

    Read read(UniqueBy annotation) {
        List<UniqueComponent> components = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        List<CassandraPersistentProperty> properties = new ArrayList<>();
        if (annotation.value().length == 0) {
            throw wrong("it names no property", "Write @UniqueBy(\"property\").");
        }
        for (String path : annotation.value()) {
            CassandraPersistentProperty property = resolve(path);
            CqlIdentifier column = property.getRequiredColumnName();
            properties.add(property);
            components.add(new UniqueComponent(path, column, normaliser(annotation)));
            texts.add(text(column, annotation));
        }
        String definition = String.join("+", texts);
        String name =
                annotation.name().isEmpty() ? entity.getTableName().asInternal() + "." + definition : annotation.name();
        try {
            UniqueConstraint constraint = new UniqueConstraint(name, components, annotation.nulls());
            return new Read(constraint, definition + " nulls=" + annotation.nulls(), properties);
        } catch (IllegalArgumentException wrong) {
            throw wrong(String.valueOf(wrong.getMessage()), "Give it a shorter name.");
        }
    }

    private UniqueNormaliser normaliser(UniqueBy annotation) {
        UniqueNormaliser all = UniqueNormaliser.EXACT;
        for (Normalisation one : annotation.normalise()) {
            all = all.then(one);
        }
        for (String bean : annotation.normalisers()) {
            try {
                all = all.then(beans.getBean(bean, UniqueNormaliser.class));
            } catch (NoSuchBeanDefinitionException missing) {
                throw wrong(
                        "it wants the normaliser '%s', but there is no such bean".formatted(bean),
                        "Define a UniqueNormaliser bean of that name.");
            }
        }
        return all;
    }

    /** With other normalisers it is another constraint, so they are part of its name. */
    private static String text(CqlIdentifier column, UniqueBy annotation) {
        List<String> normalisers = Stream.concat(
                        Stream.of(annotation.normalise()).map(one -> one.name().toLowerCase(Locale.ROOT)),
                        Stream.of(annotation.normalisers()))
                .toList();
        return normalisers.isEmpty() ? column.asInternal() : column.asInternal() + "~" + String.join("~", normalisers);
    }

    /** From property paths to columns, as Spring Data maps them. */
    private CassandraPersistentProperty resolve(String path) {
        Iterator<String> steps = Arrays.asList(path.split("\\.", -1)).iterator();
        CassandraPersistentProperty property = property(entity, steps.next(), path);
        while (property.isCompositePrimaryKey() || property.isEmbedded()) {
            CassandraPersistentEntity<?> inner = property.isEmbedded()
                    ? new EmbeddedEntityOperations(mapping).getEntity(property)
                    : mapping.getRequiredPersistentEntity(property);
            if (!steps.hasNext()) {
                throw wrong(
                        path,
                        "has several columns",
                        "Name one of its properties, such as " + path + "."
                                + names(inner).findFirst().orElse("..."));
            }
            property = property(inner, steps.next(), path);
        }
        if (steps.hasNext()) {
            throw wrong(
                    path,
                    "goes on after a column",
                    "End it there; what is unique in a user-defined type needs a column of its own.");
        }
        return property;
    }

    private CassandraPersistentProperty property(CassandraPersistentEntity<?> entity, String name, String path) {
        CassandraPersistentProperty found = entity.getPersistentProperty(name);
        if (found != null && !found.isTransient()) {
            return found;
        }
        throw wrong(
                "it names '%s', but %s has no property '%s'"
                        .formatted(path, entity.getType().getSimpleName(), name),
                "Name one of %s.".formatted(names(entity).collect(Collectors.joining(", "))));
    }

    private static Stream<String> names(CassandraPersistentEntity<?> entity) {
        return StreamSupport.stream(entity.spliterator(), false).map(CassandraPersistentProperty::getName);
    }

    private InvalidConfigurationException wrong(String path, String problem, String action) {
        return wrong("'%s' %s".formatted(path, problem), action);
    }

    private InvalidConfigurationException wrong(String problem, String action) {
        return RepositoryConstraints.wrong(where, problem, action);
    }
}
