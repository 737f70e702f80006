package io.surewrite.retry;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.Internal;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteId;
import io.surewrite.write.WriteScope;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.CassandraType;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mapping.model.EntityInstantiators;
import org.springframework.data.mapping.model.InstantiationAwarePropertyAccessor;
import reactor.core.publisher.Mono;

/**
 * Gives an entity without id one before it is written, so that a retry writes the same row again and not a second one.
 *
 * <p>Only an {@code @Id} (or {@code @PrimaryKey}) of type {@link UUID} that is null is filled: with a time-based id if
 * the property says {@code @CassandraType(type = TIMEUUID)}, otherwise with a random one. A {@link WriteId} is filled in at each
 * write. Without an order it comes behind the application's callbacks that have one, which may set the id.
 */
@Internal
public final class ClientSideIds implements BeforeConvertCallback<Object> {

    private final MappingContext<? extends CassandraPersistentEntity<?>, CassandraPersistentProperty> mapping;
    private final EntityInstantiators instantiators = new EntityInstantiators();

    /** Of every entity seen: the mapping context takes a lock and computes a key at each look. */
    private final Map<Class<?>, Id> seen = new ConcurrentHashMap<>();

    /** Of entities with a version: by the call that was the first to write under them, if one has. */
    private final Map<UUID, @Nullable AttemptNotes> made = Collections.synchronizedMap(new WeakHashMap<>());

    /** What an entity, and a write of it, are known by, if that is filled in. */
    private record Id(
            CassandraPersistentEntity<?> entity,
            @Nullable CassandraPersistentProperty property,
            @Nullable CassandraPersistentProperty write) {

        static Id of(CassandraPersistentEntity<?> entity) {
            CassandraPersistentProperty id = entity.getIdProperty();
            return new Id(
                    entity,
                    id == null || id.getType() != UUID.class ? null : id,
                    entity.getPersistentProperty(WriteId.class));
        }
    }

    public ClientSideIds(MappingContext<? extends CassandraPersistentEntity<?>, CassandraPersistentProperty> mapping) {
        this.mapping = mapping;
    }

    @Override
    public Object onBeforeConvert(Object entity, CqlIdentifier tableName) {
        return fillBoth(entity, WriteScope.current());
    }

    private Object fillBoth(Object entity, @Nullable WriteScope scope) {
        Object filled = fill(entity);
        Id id = seen.get(filled.getClass());
        if (id == null) {
            return filled;
        }
        AttemptNotes call =
                scope != null && (scope.retried() || scope.statements().isRetried()) ? scope.statements() : null;
        if (call == null && id.property() != null && id.entity().hasVersionProperty()) {
            // Another write may leave a row under it, which a call that is retried must not take for its own.
            made.remove(id.entity().getPropertyAccessor(filled).getProperty(id.property()));
        }
        if (id.write() == null) {
            return filled;
        }
        UUID write = call == null ? UUID.randomUUID() : call.nextWriteId(row(filled, id));
        return set(filled, id, id.write(), write);
    }

    private List<@Nullable Object> row(Object entity, Id id) {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(id.entity().getTableName());
        addKey(row, id.entity(), entity);
        return row;
    }

    /** Column by column: a class of keys may compare its objects by identity. */
    private void addKey(List<@Nullable Object> row, CassandraPersistentEntity<?> mapped, Object holder) {
        for (CassandraPersistentProperty property : mapped) {
            if (property.isIdProperty() || property.isPrimaryKeyColumn()) {
                Object value = mapped.getPropertyAccessor(holder).getProperty(property);
                if (value != null && property.isCompositePrimaryKey()) {
                    addKey(row, mapping.getRequiredPersistentEntity(property), value);
                } else {
                    row.add(value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value);
                }
            }
        }
    }

    /** Whether an id of an entity with a version was made for a call, so that nobody else can have written a row under it. */
    public boolean isMadeFor(UUID id, AttemptNotes call) {
        synchronized (made) {
            if (!made.containsKey(id)) {
                return false;
            }
            AttemptNotes first = made.get(id);
            if (first == null) {
                made.put(id, call);
            }
            return first == null || first == call;
        }
    }

    /** Apart, as Reactor is optional. */
    public record Reactive(ClientSideIds ids) implements ReactiveBeforeConvertCallback<Object> {

        @Override
        public Publisher<Object> onBeforeConvert(Object entity, CqlIdentifier tableName) {
            return Mono.deferContextual(
                    subscriber -> Mono.just(ids.fillBoth(entity, ReactiveWriteScope.current(subscriber))));
        }
    }

    /** Fills the id in if there is none, in a copy if the entity is immutable. What is no entity is left alone. */
    public <T> T fill(T entity) {
        Id id = seen.get(entity.getClass());
        if (id == null) {
            if (!mapping.hasPersistentEntityFor(entity.getClass())) {
                return entity; // it may become one later
            }
            id = seen.computeIfAbsent(entity.getClass(), type -> Id.of(mapping.getRequiredPersistentEntity(type)));
        }
        CassandraPersistentProperty property = id.property();
        if (property == null || id.entity().getPropertyAccessor(entity).getProperty(property) != null) {
            return entity;
        }
        CassandraType type = property.findAnnotation(CassandraType.class);
        boolean timeUuid = type != null && type.type() == CassandraType.Name.TIMEUUID;
        UUID value = timeUuid ? Uuids.timeBased() : Uuids.random();
        if (id.entity().hasVersionProperty()) {
            made.put(value, null);
        }
        return set(entity, id, property, value);
    }

    private <T> T set(T entity, Id id, CassandraPersistentProperty property, UUID value) {
        PersistentPropertyAccessor<T> properties =
                new InstantiationAwarePropertyAccessor<>(entity, id.entity()::getPropertyAccessor, instantiators);
        properties.setProperty(property, value);
        return properties.getBean();
    }
}
