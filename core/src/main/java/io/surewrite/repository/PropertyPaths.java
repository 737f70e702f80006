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
import io.surewrite.unique.InvalidConstraintException;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueNormaliser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.EmbeddedEntityOperations;

/** Follows property paths to the columns, and the fields in them, that Spring Data maps them to. */
final class PropertyPaths {

    private final CassandraMappingContext mapping;
    private final TableMetadata table;
    private final String where;

    PropertyPaths(CassandraMappingContext mapping, TableMetadata table, String where) {
        this.mapping = mapping;
        this.table = table;
        this.where = where;
    }

    UniqueComponent resolve(CassandraPersistentEntity<?> root, String path) {
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
                            path, "has several columns", "Name one of its properties, such as " + example(path, inner));
                }
                entity = inner;
                continue;
            }
            return column(property, path, steps);
        }
    }

    private UniqueComponent column(CassandraPersistentProperty property, String path, Iterator<String> steps) {
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
                        path, "names no field of " + udt.getName().asCql(true), "Name one of " + udt.getFieldNames());
            }
            fields.add(name);
            type = udt.getFieldTypes().get(udt.firstIndexOf(name));
            inner = field == null ? null : mapping.getPersistentEntity(field);
        }
        requireComparable(type, path);
        return new UniqueComponent(path, column, fields, UniqueNormaliser.EXACT);
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
        List<String> names = StreamSupport.stream(entity.spliterator(), false)
                .map(CassandraPersistentProperty::getName)
                .toList();
        throw new InvalidConstraintException(
                "@UniqueBy on %s names '%s', but %s has no property '%s'."
                        .formatted(where, path, entity.getType().getSimpleName(), name),
                nearest(name, names)
                        .map(near -> "Did you mean '%s'?".formatted(near))
                        .orElseGet(() -> "It has " + String.join(", ", names) + "."));
    }

    private InvalidConstraintException wrong(String path, String problem, String action) {
        return new InvalidConstraintException("@UniqueBy on %s: '%s' %s.".formatted(where, path, problem), action);
    }

    private static String example(String path, CassandraPersistentEntity<?> inner) {
        return StreamSupport.stream(inner.spliterator(), false)
                .findFirst()
                .map(first -> path + "." + first.getName())
                .orElse(path);
    }

    private static Optional<String> nearest(String name, List<String> names) {
        return names.stream()
                .filter(other -> distance(name, other) <= Math.min(3, name.length() / 2))
                .min(Comparator.comparingInt(other -> distance(name, other)));
    }

    /** How many letters must be added, taken away or replaced, upper or lower case being the same. */
    private static int distance(String from, String to) {
        int[] before = new int[to.length() + 1];
        Arrays.setAll(before, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = same(from.charAt(i - 1), to.charAt(j - 1)) ? 0 : 1;
                row[j] = Math.min(before[j - 1] + replaced, 1 + Math.min(before[j], row[j - 1]));
            }
            before = row;
        }
        return before[to.length()];
    }

    private static boolean same(char one, char other) {
        return Character.toLowerCase(one) == Character.toLowerCase(other);
    }
}
