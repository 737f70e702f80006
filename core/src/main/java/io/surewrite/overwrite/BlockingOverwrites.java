package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.WriteScope;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.SessionCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveEvent;
import org.springframework.data.mapping.callback.EntityCallbacks;

/**
 * Overwrites through Spring Data's template, which translates failures and knows the settings of statements. Every step is
 * over when it returns, so that all run on the caller's thread.
 */
record BlockingOverwrites(CassandraOperations operations, Overwrites overwrites, EntityCallbacks callbacks)
        implements RowOverwrites, Overwrites.Template {

    @Override
    public <T> T overwrite(T entity, OverwriteOptions options) {
        return DriverFailures.joined(overwrites.overwrite(this, entity, options));
    }

    @Override
    public <T> List<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
        return DriverFailures.joined(overwrites.<T>check(this, entities, options)).stream()
                .map(checked -> DriverFailures.joined(overwrites.write(this, checked)))
                .toList();
    }

    @Override
    public <T> List<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
        return DriverFailures.joined(overwrites.overwritePartition(this, type, partitionKey, rows, options));
    }

    private static <T extends @Nullable Object> CompletionStage<T> step(Supplier<T> step) {
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
            overwrites.publish(new BeforeSaveEvent<>(entity, table, statement));
            return callbacks.callback(BeforeSaveCallback.class, entity, table, statement);
        });
    }

    @Override
    public <T> CompletionStage<T> send(Supplier<CompletionStage<T>> request) {
        return step(() -> DriverFailures.joined(DriverFailures.translated(request.get())));
    }

    @Override
    public <T> CompletionStage<T> insert(T entity, InsertOptions options) {
        return step(() -> operations.insert(entity, options).getEntity());
    }

    @Override
    public <T> CompletionStage<T> update(T entity, UpdateOptions options) {
        return step(() -> operations.update(entity, options).getEntity());
    }

    @Override
    public CompletionStage<PreparedStatement> prepare(String cql) {
        SessionCallback<PreparedStatement> prepare = session -> session.prepare(cql);
        return step(() -> operations.getCqlOperations().execute(prepare));
    }

    @Override
    public CompletionStage<@Nullable Row> execute(Statement<?> statement) {
        CqlOperations cql = operations.getCqlOperations();
        return step(() -> cql.queryForResultSet(overwrites.sure(
                        statement,
                        cql instanceof CassandraAccessor template ? template.getExecutionProfileResolver() : null))
                .one());
    }
}
