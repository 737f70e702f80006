package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteScope;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.EntityWriteResult;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.cql.ReactiveCqlOperations;
import org.springframework.data.cassandra.core.cql.ReactiveCqlTemplate;
import org.springframework.data.cassandra.core.cql.ReactiveSessionCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeSaveCallback;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Overwrites through Spring Data's reactive template. Nothing happens before a subscription. */
record ReactiveOverwrites(
        ReactiveCassandraOperations operations, Overwrites overwrites, ReactiveEntityCallbacks callbacks)
        implements ReactiveRowOverwrites {

    @Override
    public <T> Mono<T> overwrite(T entity, OverwriteOptions options) {
        return mono(call -> overwrites.overwrite(call, entity, options));
    }

    @Override
    public <T> Flux<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
        return mono(call -> overwrites.<T>check(call, entities, options))
                .flatMapMany(Flux::fromIterable)
                .concatMap(checked -> mono(call -> overwrites.write(call, checked)));
    }

    @Override
    public <T> Flux<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
        return mono(call -> overwrites.overwritePartition(call, type, partitionKey, rows, options))
                .flatMapMany(Flux::fromIterable);
    }

    private <T> Mono<T> mono(Function<Overwrites.Template, CompletionStage<T>> steps) {
        return Mono.deferContextual(subscriber -> {
            Call call = new Call(subscriber);
            return Mono.fromCompletionStage(() -> call.unlessCancelled(steps.apply(call)))
                    .doOnCancel(call::cancel);
        });
    }

    /** The steps of one subscription. Once it is cancelled, no further step begins. */
    private final class Call implements Overwrites.Template {

        private final ContextView subscriber;
        private volatile boolean cancelled;
        private volatile @Nullable CompletableFuture<?> underWay;

        Call(ContextView subscriber) {
            this.subscriber = subscriber;
        }

        /** A subscriber that has given up receives nothing more, not even that. */
        <T> CompletionStage<T> unlessCancelled(CompletionStage<T> steps) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            var unused = steps.whenComplete((value, failure) -> {
                if (cancelled) {
                    return;
                }
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
            return answer;
        }

        private <T> CompletionStage<T> step(Supplier<Mono<T>> step) {
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

        void cancel() {
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
                overwrites.publish(new BeforeSaveEvent<>(entity, table, statement));
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

        @Override
        public <T> CompletionStage<T> insert(T entity, InsertOptions options) {
            return step(() -> operations.insert(entity, options).map(EntityWriteResult::getEntity));
        }

        @Override
        public <T> CompletionStage<T> update(T entity, UpdateOptions options) {
            return step(() -> operations.update(entity, options).map(EntityWriteResult::getEntity));
        }

        @Override
        public CompletionStage<PreparedStatement> prepare(String cql) {
            ReactiveSessionCallback<PreparedStatement> prepare = session -> session.prepare(cql);
            return step(
                    () -> operations.getReactiveCqlOperations().execute(prepare).next());
        }

        @Override
        public CompletionStage<@Nullable Row> execute(Statement<?> statement) {
            ReactiveCqlOperations cql = operations.getReactiveCqlOperations();
            return step(() -> cql.queryForResultSet(overwrites.sure(
                            statement,
                            cql instanceof ReactiveCqlTemplate template
                                    ? template.getExecutionProfileResolver()
                                    : null))
                    .flatMap(result -> result.rows().next()));
        }
    }
}
