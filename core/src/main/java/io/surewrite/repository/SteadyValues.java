package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.unique.CqlRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeSaveCallback;
import reactor.core.publisher.Mono;

/** Refuses an entity with a unique value whose conversion gives another one each time, which no statement shows. */
public final class SteadyValues implements BeforeSaveCallback<Object> {

    private final Map<Class<?>, List<Entities>> ofTypes = new ConcurrentHashMap<>();

    /** Of which nothing is left to look at: each save asks. */
    private volatile Set<Class<?>> steady = ConcurrentHashMap.newKeySet();

    void add(Entities entities) {
        ofTypes.computeIfAbsent(entities.entity().getType(), type -> new CopyOnWriteArrayList<>())
                .add(entities);
        steady = ConcurrentHashMap.newKeySet(); // a save that looks at the same time notes it in the old one
    }

    @Override
    public Object onBeforeSave(Object entity, CqlIdentifier table, Statement<?> statement) {
        Set<Class<?>> known = steady;
        if (known.contains(entity.getClass())) {
            return entity;
        }
        List<Entities> found = new ArrayList<>();
        for (Class<?> type = entity.getClass(); type != null; type = type.getSuperclass()) {
            found.addAll(ofTypes.getOrDefault(type, List.of())); // one for each session
        }
        found.forEach(each -> each.requireSteady(entity));
        if (found.stream().allMatch(Entities::areAllTried)) {
            known.add(entity.getClass());
        }
        return entity;
    }

    /** The same for reactive templates, where Reactor is. */
    public record Reactive(SteadyValues values) implements ReactiveBeforeSaveCallback<Object> {

        @Override
        public Publisher<Object> onBeforeSave(Object entity, CqlIdentifier table, Statement<?> statement) {
            return Mono.fromSupplier(() -> values.onBeforeSave(entity, table, statement));
        }
    }

    /**
     * The entities of a table.
     *
     * @param mapped their columns
     * @param rows with all constraints that are known by now
     * @param tried the columns of unique values whose conversion was tried twice
     */
    record Entities(
            CassandraConverter converter,
            CassandraPersistentEntity<?> entity,
            Set<CqlIdentifier> mapped,
            Supplier<CqlRows> rows,
            Set<CqlIdentifier> tried) {

        /**
         * Refuses a cipher with a random start, which makes another value of the same text each time: then no two rows have the
         * same. Each column is looked at once.
         */
        private void requireSteady(Object saved) {
            if (areAllTried()) {
                return;
            }
            Map<CqlIdentifier, @Nullable Object> once = new HashMap<>();
            Map<CqlIdentifier, @Nullable Object> again = new HashMap<>();
            converter.write(saved, once, entity);
            converter.write(saved, again, entity);
            RowTable table = rows.get().table();
            untried().filter(name -> once.get(name) != null).forEach(name -> {
                if (!Objects.equals(encoded(table, name, once), encoded(table, name, again))) {
                    throw new InvalidDataAccessApiUsageException(
                            ("%s of %s is converted to another value each time, so that no two rows could be seen to have the same."
                                            + " Fix: convert it to the same value each time, or make a hash of it, in a column of its"
                                            + " own, unique")
                                    .formatted(
                                            name.asCql(true), entity.getType().getSimpleName()));
                }
                tried.add(name);
            });
        }

        private boolean areAllTried() {
            return untried().findAny().isEmpty();
        }

        private Stream<CqlIdentifier> untried() {
            return rows.get().constrained().stream().filter(name -> mapped.contains(name) && !tried.contains(name));
        }

        private static @Nullable ByteBuffer encoded(
                RowTable table, CqlIdentifier name, Map<CqlIdentifier, @Nullable Object> values) {
            Object value = values.get(name);
            return value == null ? null : table.encoded(table.column(name), value);
        }
    }
}
