package io.surewrite.overwrite.engine;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.session.EntityLifecycle;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.ReactiveResultSet;
import org.springframework.data.cassandra.core.EntityWriteResult;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.cql.ReactiveCqlOperations;
import org.springframework.data.cassandra.core.cql.ReactiveCqlTemplate;
import org.springframework.data.cassandra.core.cql.ReactiveSessionCallback;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Overwrites through Spring Data's reactive template. Nothing happens before a subscription. */
record ReactiveOverwrites(
        ReactiveCassandraOperations operations, Overwrites overwrites, EntityLifecycle.Reactive lifecycle)
        implements ReactiveRowOverwrites {

    @Override
    public <T> Mono<T> overwrite(T entity, OverwriteOptions options) {
        return mono(call -> overwrites.overwrite(call, entity, options, false));
    }

    @Override
    public <T> Mono<T> insertNew(T entity, OverwriteOptions options) {
        return mono(call -> overwrites.overwrite(call, entity, options, true));
    }

    @Override
    public <T> Flux<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
        return mono(call -> overwrites.<T>check(call, entities, options, false))
                .flatMapMany(Flux::fromIterable)
                .concatMap(checked -> mono(call -> overwrites.write(call, checked)));
    }

    @Override
    public <T> Flux<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
        return mono(call -> overwrites.overwritePartition(call, type, partitionKey, rows, options))
                .flatMapMany(Flux::fromIterable);
    }

    private <T> Mono<T> mono(Function<Overwrites.Template, CompletionStage<T>> work) {
        return lifecycle.mono(call -> work.apply(new Call(operations, overwrites, call)));
    }

    private record Call(
            ReactiveCassandraOperations operations, Overwrites overwrites, EntityLifecycle.Reactive.Call steps)
            implements Overwrites.Template {

        @Override
        public <T> CompletionStage<T> insert(T entity, InsertOptions options) {
            return steps.step(() -> operations.insert(entity, options).map(EntityWriteResult::getEntity));
        }

        @Override
        public <T> CompletionStage<T> update(T entity, UpdateOptions options) {
            return steps.step(() -> operations.update(entity, options).map(EntityWriteResult::getEntity));
        }

        @Override
        public CompletionStage<PreparedStatement> prepare(String cql) {
            ReactiveSessionCallback<PreparedStatement> prepare = session -> session.prepare(cql);
            return steps.step(
                    () -> operations.getReactiveCqlOperations().execute(prepare).next());
        }

        /** A template's own consistency would replace that of the statement, so a chosen one does not pass the template. */
        @Override
        public CompletionStage<@Nullable Row> execute(OverwritePlan plan, Statement<?> statement) {
            ReactiveCqlOperations cql = operations.getReactiveCqlOperations();
            ReactiveSessionCallback<ReactiveResultSet> asItIs = session -> session.execute(statement);
            Mono<ReactiveResultSet> rows = plan.options().consistency() == null
                    ? cql.queryForResultSet(overwrites.sure(
                            statement,
                            cql instanceof ReactiveCqlTemplate template
                                    ? template.getExecutionProfileResolver()
                                    : null))
                    : cql.execute(asItIs).next();
            return steps.step(() -> rows.flatMap(result -> result.rows().next()));
        }
    }
}
