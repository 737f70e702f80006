package io.surewrite.overwrite.engine;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.cql.session.EntityLifecycle;
import io.surewrite.cql.session.ScopedCqlSession;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.RowOverwrites;
import java.util.List;
import java.util.concurrent.CompletionStage;
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
record BlockingOverwrites(CassandraOperations operations, Overwrites overwrites, EntityLifecycle.Blocking steps)
        implements RowOverwrites, Overwrites.Template {

    @Override
    public <T> T overwrite(T entity, OverwriteOptions options) {
        return DriverFailures.joined(overwrites.overwrite(this, entity, options, false));
    }

    @Override
    public <T> T insertNew(T entity, OverwriteOptions options) {
        return DriverFailures.joined(overwrites.overwrite(this, entity, options, true));
    }

    @Override
    public <T> List<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options) {
        return DriverFailures.joined(overwrites.<T>check(this, entities, options, false)).stream()
                .map(checked -> DriverFailures.joined(overwrites.write(this, checked)))
                .toList();
    }

    @Override
    public <T> List<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options) {
        return DriverFailures.joined(overwrites.overwritePartition(this, type, partitionKey, rows, options));
    }

    @Override
    public <T> CompletionStage<T> insert(T entity, InsertOptions options) {
        return EntityLifecycle.Blocking.step(
                () -> operations.insert(entity, options).getEntity());
    }

    @Override
    public <T> CompletionStage<T> update(T entity, UpdateOptions options) {
        return EntityLifecycle.Blocking.step(
                () -> operations.update(entity, options).getEntity());
    }

    @Override
    public CompletionStage<PreparedStatement> prepare(String cql) {
        SessionCallback<PreparedStatement> prepare = session -> session.prepare(cql);
        return EntityLifecycle.Blocking.step(() -> operations.getCqlOperations().execute(prepare));
    }

    /** A template's own consistency would replace that of the statement, so a chosen one does not pass the template. */
    @Override
    public CompletionStage<@Nullable Row> execute(OverwritePlan plan, Statement<?> statement) {
        CqlOperations cql = operations.getCqlOperations();
        SessionCallback<ResultSet> asItIs =
                session -> ScopedCqlSession.of(session).execute(statement);
        return EntityLifecycle.Blocking.step(() -> (plan.options().consistency() == null
                        ? cql.queryForResultSet(overwrites.sure(
                                statement,
                                cql instanceof CassandraAccessor template
                                        ? template.getExecutionProfileResolver()
                                        : null))
                        : cql.execute(asItIs))
                .one());
    }
}
