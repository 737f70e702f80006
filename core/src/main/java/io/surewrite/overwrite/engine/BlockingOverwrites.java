package io.surewrite.overwrite.engine;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.session.ScopedCqlSession;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.rows.EntityLifecycle;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.SessionCallback;

/**
 * Overwrites through Spring Data's template, which translates failures and knows the settings of statements. Every step
 * is over when it returns, so that all run on the caller's thread.
 */
record BlockingOverwrites(CassandraOperations operations, Overwrites overwrites, EntityLifecycle.Blocking lifecycle)
        implements RowOverwrites, Overwrites.Template {

    @Override
    public <T> T overwrite(T entity, OverwriteOptions options) {
        return join(overwrites.overwrite(this, entity, options, false));
    }

    @Override
    public <T> T insertNew(T entity, OverwriteOptions options) {
        return join(overwrites.overwrite(this, entity, options, true));
    }

    @Override
    public <T> List<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
        return join(overwrites.<T>check(this, entities, options, false)).stream()
                .map(checked -> join(overwrites.write(this, checked)))
                .toList();
    }

    @Override
    public <T> List<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
        return join(overwrites.overwritePartition(this, type, partitionKey, rows, options));
    }

    @Override
    public @Nullable WriteScope scope() {
        return WriteScope.current();
    }

    @Override
    public <T> CompletionStage<T> beforeConvert(T entity, CqlIdentifier table) {
        return done(() -> lifecycle.beforeConvert(entity, table));
    }

    @Override
    public <T> CompletionStage<T> beforeSave(T entity, CqlIdentifier table, Statement<?> statement) {
        return done(() -> lifecycle.beforeSave(entity, table, statement));
    }

    @Override
    public <T> void afterSave(T entity, CqlIdentifier table) {
        lifecycle.afterSave(entity, table);
    }

    @Override
    public <T> CompletionStage<T> insert(T entity, InsertOptions options) {
        return done(() -> operations.insert(entity, options).getEntity());
    }

    @Override
    public <T> CompletionStage<T> update(T entity, UpdateOptions options) {
        return done(() -> operations.update(entity, options).getEntity());
    }

    @Override
    public CompletionStage<PreparedStatement> prepare(String cql) {
        SessionCallback<PreparedStatement> prepare = session -> session.prepare(cql);
        return done(() -> operations.getCqlOperations().execute(prepare));
    }

    /** A template's own consistency would replace that of the statement, so a chosen one does not pass the template. */
    @Override
    public CompletionStage<@Nullable Row> execute(OverwritePlan plan, Statement<?> statement) {
        CqlOperations cql = operations.getCqlOperations();
        SessionCallback<ResultSet> asItIs =
                session -> ScopedCqlSession.of(session).execute(statement);
        return done(() -> (plan.options().consistency() == null
                        ? cql.queryForResultSet(overwrites.sure(
                                statement,
                                cql instanceof CassandraAccessor template
                                        ? template.getExecutionProfileResolver()
                                        : null))
                        : cql.execute(asItIs))
                .one());
    }

    @Override
    public <T> CompletionStage<T> await(CompletionStage<T> look) {
        return done(() -> join(Overwrites.Template.super.await(look)));
    }

    private static <T> CompletionStage<T> done(Supplier<T> step) {
        try {
            return CompletableFuture.completedFuture(step.get());
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }
}
