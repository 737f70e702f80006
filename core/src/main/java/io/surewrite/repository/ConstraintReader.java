package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.ContainerType;
import com.datastax.oss.driver.api.core.type.CustomType;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.TupleType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
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
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.EmbeddedEntityOperations;

/** Makes a constraint of an annotation, and refuses what cannot be one. */
record ConstraintReader(
        CassandraMappingContext mapping,
        BeanFactory beans,
        CassandraPersistentEntity<?> entity,
        TableMetadata table,
        String where) {

    /** The definition is compared with that of another constraint of the same name. */
    record Read(
            UniqueConstraint constraint, String definition, List<@Nullable CassandraPersistentProperty> properties) {}

    private record Mapped(
            UniqueComponent component, @Nullable CassandraPersistentProperty property) {}

    Read read(UniqueBy annotation) {
        List<UniqueComponent> components = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        List<@Nullable CassandraPersistentProperty> properties = new ArrayList<>();
        if (annotation.value().length == 0) {
            throw wrong("it names no property", "Write @UniqueBy(\"property\").");
        }
        for (String path : annotation.value()) {
            Mapped mapped = resolve(entity, path);
            UniqueComponent component = mapped.component();
            properties.add(mapped.property());
            components.add(component.normalised(normaliser(annotation)));
            texts.add(text(component, annotation));
        }
        String definition = String.join("+", texts);
        String name = annotation.name().isEmpty() ? table.getName().asInternal() + "." + definition : annotation.name();
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
    private static String text(UniqueComponent component, UniqueBy annotation) {
        String column = Stream.concat(Stream.of(component.column()), component.fields().stream())
                .map(CqlIdentifier::asInternal)
                .collect(Collectors.joining("."));
        List<String> normalisers = Stream.concat(
                        Stream.of(annotation.normalise()).map(one -> one.name().toLowerCase(Locale.ROOT)),
                        Stream.of(annotation.normalisers()))
                .toList();
        return normalisers.isEmpty() ? column : column + "~" + String.join("~", normalisers);
    }

    /** From property paths to columns, and to the fields in them, as Spring Data maps them. */
    private Mapped resolve(CassandraPersistentEntity<?> root, String path) {
        Iterator<String> steps = Arrays.asList(path.split("\\.", -1)).iterator();
        CassandraPersistentEntity<?> entity = root;
        while (true) {
            CassandraPersistentProperty property = property(entity, steps.next(), path);
            if (property.isCompositePrimaryKey() || property.isEmbedded()) {
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
                entity = inner;
                continue;
            }
            return column(property, path, steps);
        }
    }

    private Mapped column(CassandraPersistentProperty property, String path, Iterator<String> steps) {
        CqlIdentifier column = Objects.requireNonNull(property.getColumnName());
        ColumnMetadata metadata = table.getColumns().get(column);
        if (metadata == null) {
            throw wrong(
                    path,
                    "is mapped to %s, which is no column of table %s"
                            .formatted(column.asCql(true), table.getName().asCql(true)),
                    "Add the column, or map the property to one that exists.");
        }
        DataType type = metadata.getType();
        List<CqlIdentifier> fields = new ArrayList<>();
        CassandraPersistentProperty last = property;
        CassandraPersistentEntity<?> inner = mapping.getPersistentEntity(property);
        while (steps.hasNext()) {
            String step = steps.next();
            if (!(type instanceof UserDefinedType udt)) {
                throw wrong(
                        path, "goes on after a column of type %s".formatted(type.asCql(false, true)), "End it there.");
            }
            CassandraPersistentProperty field = inner == null ? null : property(inner, step, path);
            CqlIdentifier name = field == null ? CqlIdentifier.fromInternal(step) : field.getColumnName();
            if (name == null || udt.firstIndexOf(name) < 0) {
                throw wrong(
                        path,
                        "names no field of " + udt.getName().asCql(true),
                        nameOneOf(udt.getFieldNames().stream().map(CqlIdentifier::asInternal)));
            }
            fields.add(name);
            type = udt.getFieldTypes().get(udt.firstIndexOf(name));
            last = field;
            inner = field == null ? null : mapping.getPersistentEntity(field);
        }
        requireComparable(type, path);
        return new Mapped(new UniqueComponent(path, column, fields, UniqueNormaliser.EXACT), last);
    }

    private void requireComparable(DataType type, String path) {
        if (type instanceof UserDefinedType udt) {
            throw wrong(
                    path,
                    "is a user-defined type",
                    "Name the fields that are unique together, such as %s.%s"
                            .formatted(path, udt.getFieldNames().get(0).asInternal()));
        }
        if (type instanceof ContainerType || type instanceof MapType) {
            throw wrong(
                    path,
                    "is a collection",
                    "Only single values can be unique: give each element a row of its own, or claim the elements by UniqueGuard.claim.");
        }
        if (type instanceof TupleType
                || type instanceof CustomType
                || type.equals(DataTypes.DURATION)
                || type.equals(DataTypes.COUNTER)) {
            throw wrong(
                    path,
                    "has the type %s, which has no comparable form".formatted(type.asCql(false, true)),
                    "Store its parts, or a text, in columns of their own and name those.");
        }
    }

    private CassandraPersistentProperty property(CassandraPersistentEntity<?> entity, String name, String path) {
        CassandraPersistentProperty found = entity.getPersistentProperty(name);
        if (found != null && !found.isTransient()) {
            return found;
        }
        throw wrong(
                "it names '%s', but %s has no property '%s'"
                        .formatted(path, entity.getType().getSimpleName(), name),
                nameOneOf(names(entity)));
    }

    private static String nameOneOf(Stream<String> names) {
        return "Name one of %s.".formatted(names.collect(Collectors.joining(", ")));
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
