package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Statement;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.data.cassandra.core.mapping.event.AfterSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeSaveCallback;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import reactor.core.publisher.Mono;

/** What Spring Data's templates do around a save: callbacks (auditing is one) and events. */
final class EntityLifecycle {

    private final ApplicationContext context;

    EntityLifecycle(ApplicationContext context) {
        this.context = context;
    }

    Blocking blocking() {
        return new Blocking(EntityCallbacks.create(context));
    }

    Reactive reactive() {
        return new Reactive(ReactiveEntityCallbacks.create(context));
    }

    private void publish(ApplicationEvent event) {
        context.publishEvent(event);
    }

    final class Blocking {

        private final EntityCallbacks callbacks;

        private Blocking(EntityCallbacks callbacks) {
            this.callbacks = callbacks;
        }

        <T> T beforeConvert(T entity, CqlIdentifier table) {
            return callbacks.callback(BeforeConvertCallback.class, entity, table);
        }

        <T> T beforeSave(T entity, CqlIdentifier table, Statement<?> statement) {
            publish(new BeforeSaveEvent<>(entity, table, statement));
            return callbacks.callback(BeforeSaveCallback.class, entity, table, statement);
        }

        <T> void afterSave(T entity, CqlIdentifier table) {
            publish(new AfterSaveEvent<>(entity, table));
        }
    }

    final class Reactive {

        private final ReactiveEntityCallbacks callbacks;

        private Reactive(ReactiveEntityCallbacks callbacks) {
            this.callbacks = callbacks;
        }

        <T> Mono<T> beforeConvert(T entity, CqlIdentifier table) {
            return callbacks.callback(ReactiveBeforeConvertCallback.class, entity, table);
        }

        <T> Mono<T> beforeSave(T entity, CqlIdentifier table, Statement<?> statement) {
            publish(new BeforeSaveEvent<>(entity, table, statement));
            return callbacks.callback(ReactiveBeforeSaveCallback.class, entity, table, statement);
        }

        <T> void afterSave(T entity, CqlIdentifier table) {
            publish(new AfterSaveEvent<>(entity, table));
        }
    }
}
