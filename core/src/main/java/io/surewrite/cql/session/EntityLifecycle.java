package io.surewrite.cql.session;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.cql.WriteScope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
import reactor.util.context.ContextView;

/**
 * What Spring Data's templates do around a save, callbacks (auditing is one) and events, and around a read. The steps of a
 * save are the same for callers that block and for those that subscribe; how they wait differs.
 *
 * @param context holds the callbacks and hears the events
 */
public record EntityLifecycle(ApplicationContext context) {

    /** The steps of one caller, each of which may be over when it returns. */
    public interface Steps {

        /** {@return the logical write that the caller is in} */
        @Nullable
        WriteScope scope();

        /**
         * Before the entity is turned into a row.
         *
         * @param entity the entity
         * @param table its table
         * @param <T> its type
         * @return becomes the entity to write
         */
        <T> CompletionStage<T> beforeConvert(T entity, CqlIdentifier table);

        /**
         * Before the row is sent.
         *
         * @param entity the entity
         * @param table its table
         * @param statement what writes it
         * @param <T> its type
         * @return becomes the entity to return
         */
        <T> CompletionStage<T> beforeSave(T entity, CqlIdentifier table, Statement<?> statement);

        /**
         * Sends something in the caller's logical write, and waits if all further steps must be on the caller's thread.
         *
         * @param request sends it
         * @param <T> what it becomes
         * @return the answer; the driver's failures as Spring Data would throw them
         */
        <T> CompletionStage<T> send(Supplier<CompletionStage<T>> request);
    }

    /**
     * Takes a step for one after the other.
     *
     * @param all what it is taken for
     * @param step the step
     * @param <T> what it is taken for
     * @param <R> what it becomes
     * @return becomes what all steps became
     */
    public static <T, R> CompletionStage<List<R>> each(List<T> all, Function<T, CompletionStage<R>> step) {
        CompletionStage<List<R>> done = CompletableFuture.completedFuture(new ArrayList<>());
        for (T one : all) {
            done = done.thenCompose(before -> step.apply(one).thenApply(result -> {
                before.add(result);
                return before;
            }));
        }
        return done;
    }

    /**
     * After the row was written.
     *
     * @param entity the entity
     * @param table its table
     * @param <T> its type
     * @return the entity
     */
    public <T> T afterSave(T entity, CqlIdentifier table) {
        publish(new AfterSaveEvent<>(entity, table));
        return entity;
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

    /**
     * {@return the steps of callers that block}
     */
    public Blocking blocking() {
        return new Blocking(EntityCallbacks.create(context));
    }

    /** The steps of callers that block: each is over when it returns, so that all run on the caller's thread. */
    public final class Blocking implements Steps {

        private final EntityCallbacks callbacks;

        private Blocking(EntityCallbacks callbacks) {
            this.callbacks = callbacks;
        }

        /**
         * Takes a step of the caller's own.
         *
         * @param step the step
         * @param <T> what it becomes
         * @return what it became, or its failure
         */
        public static <T extends @Nullable Object> CompletionStage<T> step(Supplier<T> step) {
            try {
                return CompletableFuture.completedFuture(step.get());
            } catch (RuntimeException failure) {
                return CompletableFuture.failedFuture(failure);
            }
        }

        @Override
        public @Nullable WriteScope scope() {
            return WriteScope.current();
        }

        @Override
        public <T> CompletionStage<T> beforeConvert(T entity, CqlIdentifier table) {
            return step(() -> callbacks.callback(BeforeConvertCallback.class, entity, table));
        }

        @Override
        public <T> CompletionStage<T> beforeSave(T entity, CqlIdentifier table, Statement<?> statement) {
            return step(() -> {
                publish(new BeforeSaveEvent<>(entity, table, statement));
                return callbacks.callback(BeforeSaveCallback.class, entity, table, statement);
            });
        }

        @Override
        public <T> CompletionStage<T> send(Supplier<CompletionStage<T>> request) {
            return step(() -> DriverFailures.joined(DriverFailures.translated(request.get())));
        }
    }

    /**
     * {@return the steps of callers that subscribe}
     */
    public Reactive reactive() {
        return new Reactive(ReactiveEntityCallbacks.create(context));
    }

    /** The steps of callers that subscribe. */
    public final class Reactive {

        private final ReactiveEntityCallbacks callbacks;

        private Reactive(ReactiveEntityCallbacks callbacks) {
            this.callbacks = callbacks;
        }

        /**
         * Takes steps for each subscription.
         *
         * @param steps the steps
         * @param <T> what they become
         * @return begins them when it is subscribed to
         */
        public <T> Mono<T> mono(Function<Call, CompletionStage<T>> steps) {
            return Mono.deferContextual(subscriber -> {
                Call call = new Call(subscriber);
                return Mono.fromCompletionStage(() -> call.unlessCancelled(steps.apply(call)))
                        .doOnCancel(call::cancel);
            });
        }

        /** The steps of one subscription. Once it is cancelled, no further step begins. */
        public final class Call implements Steps {

            private final ContextView subscriber;
            private volatile boolean cancelled;
            private volatile @Nullable CompletableFuture<?> underWay;

            private Call(ContextView subscriber) {
                this.subscriber = subscriber;
            }

            /** A subscriber who has given up hears nothing more, not even of that. */
            private <T> CompletionStage<T> unlessCancelled(CompletionStage<T> steps) {
                CompletableFuture<T> heard = new CompletableFuture<>();
                var unused = steps.whenComplete((value, failure) -> {
                    if (cancelled) {
                        return;
                    }
                    if (failure == null) {
                        heard.complete(value);
                    } else {
                        heard.completeExceptionally(failure);
                    }
                });
                return heard;
            }

            /**
             * Takes a step of the caller's own.
             *
             * @param step the step
             * @param <T> what it becomes
             * @return what it becomes, or its failure
             */
            public <T> CompletionStage<T> step(Supplier<Mono<T>> step) {
                if (cancelled) {
                    return CompletableFuture.failedFuture(new CancellationException());
                }
                CompletableFuture<T> begun = step.get().contextWrite(subscriber).toFuture();
                underWay = begun;
                if (cancelled) {
                    begun.cancel(true);
                }
                return begun;
            }

            private void cancel() {
                cancelled = true;
                CompletableFuture<?> last = underWay;
                if (last != null) {
                    last.cancel(true);
                }
            }

            @Override
            public @Nullable WriteScope scope() {
                return ReactiveWriteScope.current(subscriber);
            }

            @Override
            public <T> CompletionStage<T> beforeConvert(T entity, CqlIdentifier table) {
                return step(() -> callbacks.callback(ReactiveBeforeConvertCallback.class, entity, table));
            }

            @Override
            public <T> CompletionStage<T> beforeSave(T entity, CqlIdentifier table, Statement<?> statement) {
                return step(() -> {
                    publish(new BeforeSaveEvent<>(entity, table, statement));
                    return callbacks.callback(ReactiveBeforeSaveCallback.class, entity, table, statement);
                });
            }

            @Override
            public <T> CompletionStage<T> send(Supplier<CompletionStage<T>> request) {
                return step(() -> {
                    WriteScope scope = scope();
                    return Mono.fromCompletionStage(
                            DriverFailures.translated(scope == null ? request.get() : scope.call(request)));
                });
            }
        }
    }
}
