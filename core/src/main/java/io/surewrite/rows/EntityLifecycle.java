package io.surewrite.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.event.AfterConvertEvent;
import org.springframework.data.cassandra.core.mapping.event.AfterLoadEvent;
import org.springframework.data.cassandra.core.mapping.event.AfterSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeSaveCallback;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import reactor.core.publisher.Mono;

/**
 * What Spring Data's templates do around a save, callbacks (auditing is one) and events, and around a read.
 *
 * @param context holds the callbacks and hears the events
 */
public record EntityLifecycle(ApplicationContext context) {

    /**
     * {@return what goes around a blocking save}
     */
    public Blocking blocking() {
        return new Blocking(EntityCallbacks.create(context));
    }

    /**
     * {@return what goes around a reactive save}
     */
    public Reactive reactive() {
        return new Reactive(ReactiveEntityCallbacks.create(context));
    }

    /**
     * Makes an entity of a row that was read.
     *
     * @param converter maps it
     * @param type the entity's type
     * @param row the row
     * @param table its table
     * @param <T> its type
     * @return the entity
     */
    public <T> T read(CassandraConverter converter, Class<T> type, Row row, CqlIdentifier table) {
        publish(new AfterLoadEvent<>(row, type, table));
        T entity = converter.read(type, row);
        publish(new AfterConvertEvent<>(row, entity, table));
        return entity;
    }

    private void publish(ApplicationEvent event) {
        context.publishEvent(event);
    }

    /** Around a blocking save. */
    public final class Blocking {

        private final EntityCallbacks callbacks;

        private Blocking(EntityCallbacks callbacks) {
            this.callbacks = callbacks;
        }

        /**
         * Before the entity is turned into a row.
         *
         * @param entity the entity
         * @param table its table
         * @param <T> its type
         * @return the entity to write
         */
        public <T> T beforeConvert(T entity, CqlIdentifier table) {
            return callbacks.callback(BeforeConvertCallback.class, entity, table);
        }

        /**
         * Before the row is sent.
         *
         * @param entity the entity
         * @param table its table
         * @param statement what writes it
         * @param <T> its type
         * @return the entity to return
         */
        public <T> T beforeSave(T entity, CqlIdentifier table, Statement<?> statement) {
            publish(new BeforeSaveEvent<>(entity, table, statement));
            return callbacks.callback(BeforeSaveCallback.class, entity, table, statement);
        }

        /**
         * After the row was written.
         *
         * @param entity the entity
         * @param table its table
         * @param <T> its type
         */
        public <T> void afterSave(T entity, CqlIdentifier table) {
            publish(new AfterSaveEvent<>(entity, table));
        }
    }

    /** Around a reactive save. */
    public final class Reactive {

        private final ReactiveEntityCallbacks callbacks;

        private Reactive(ReactiveEntityCallbacks callbacks) {
            this.callbacks = callbacks;
        }

        /**
         * Before the entity is turned into a row.
         *
         * @param entity the entity
         * @param table its table
         * @param <T> its type
         * @return the entity to write
         */
        public <T> Mono<T> beforeConvert(T entity, CqlIdentifier table) {
            return callbacks.callback(ReactiveBeforeConvertCallback.class, entity, table);
        }

        /**
         * Before the row is sent.
         *
         * @param entity the entity
         * @param table its table
         * @param statement what writes it
         * @param <T> its type
         * @return the entity to return
         */
        public <T> Mono<T> beforeSave(T entity, CqlIdentifier table, Statement<?> statement) {
            publish(new BeforeSaveEvent<>(entity, table, statement));
            return callbacks.callback(ReactiveBeforeSaveCallback.class, entity, table, statement);
        }

        /**
         * After the row was written.
         *
         * @param entity the entity
         * @param table its table
         * @param <T> its type
         */
        public <T> void afterSave(T entity, CqlIdentifier table) {
            publish(new AfterSaveEvent<>(entity, table));
        }
    }
}
