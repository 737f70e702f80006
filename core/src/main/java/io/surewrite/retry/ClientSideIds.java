package io.surewrite.retry;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.write.Internal;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
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
 * the property says {@code @CassandraType(type = TIMEUUID)}, otherwise with a random one.
 */
@Internal
public final class ClientSideIds implements BeforeConvertCallback<Object>, Ordered {

    private final MappingContext<? extends CassandraPersistentEntity<?>, CassandraPersistentProperty> mapping;
    private final EntityInstantiators instantiators = new EntityInstantiators();

    /** Of every entity seen: the mapping context takes a lock and computes a key at each look. */
    private final Map<Class<?>, Id> seen = new ConcurrentHashMap<>();

    /**
     * What an entity is known by.
     *
     * @param property the id's property, or null if it is none that is filled in
     */
    private record Id(
            CassandraPersistentEntity<?> entity, @Nullable CassandraPersistentProperty property) {

        static Id of(CassandraPersistentEntity<?> entity) {
            CassandraPersistentProperty id = entity.getIdProperty();
            return new Id(entity, id == null || id.getType() != UUID.class ? null : id);
        }
    }

    public ClientSideIds(MappingContext<? extends CassandraPersistentEntity<?>, CassandraPersistentProperty> mapping) {
        this.mapping = mapping;
    }

    @Override
    public Object onBeforeConvert(Object entity, CqlIdentifier tableName) {
        return fill(entity);
    }

    /** After the application's own callbacks, which may set the id. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    /** The same for reactive templates, where Reactor is. */
    public record Reactive(ClientSideIds ids) implements ReactiveBeforeConvertCallback<Object>, Ordered {

        @Override
        public Publisher<Object> onBeforeConvert(Object entity, CqlIdentifier tableName) {
            return Mono.fromSupplier(() -> ids.fill(entity));
        }

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }
    }

    /**
     * Fills the id in if there is none.
     *
     * @param entity an entity, or anything else, which is left alone
     * @return the same instance if it can be changed, a copy with the id if it is immutable
     */
    public <T> T fill(T entity) {
        Id id = seen.get(entity.getClass());
        if (id == null) {
            if (!mapping.hasPersistentEntityFor(entity.getClass())) {
                return entity; // it may become one later
            }
            id = seen.computeIfAbsent(entity.getClass(), type -> Id.of(mapping.getRequiredPersistentEntity(type)));
        }
        return id.property() == null ? entity : fill(entity, id.entity(), id.property());
    }

    private <T> T fill(T entity, CassandraPersistentEntity<?> mapped, CassandraPersistentProperty id) {
        if (mapped.getPropertyAccessor(entity).getProperty(id) != null) {
            return entity;
        }
        PersistentPropertyAccessor<T> properties =
                new InstantiationAwarePropertyAccessor<>(entity, mapped::getPropertyAccessor, instantiators);
        CassandraType type = id.findAnnotation(CassandraType.class);
        boolean timeUuid = type != null && type.type() == CassandraType.Name.TIMEUUID;
        properties.setProperty(id, timeUuid ? Uuids.timeBased() : Uuids.random());
        return properties.getBean();
    }
}
