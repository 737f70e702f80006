package io.surewrite.cql;

import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;
import org.springframework.data.cassandra.core.cql.AsyncPreparedStatementCreator;
import org.springframework.data.cassandra.core.cql.AsyncResultSetExtractor;
import org.springframework.data.cassandra.core.cql.PreparedStatementBinder;

/**
 * An {@link AsyncCqlTemplate} that applies the {@link WriteScope} of the thread that calls it, although it binds
 * prepared statements on a thread of the driver.
 */
public class ScopedAsyncCqlTemplate extends AsyncCqlTemplate {

    /**
     * Creates the template.
     *
     * @param sessionFactory gives the session
     */
    public ScopedAsyncCqlTemplate(SessionFactory sessionFactory) {
        super(sessionFactory);
    }

    @Override
    protected Statement<?> applyStatementSettings(Statement<?> statement) {
        return WriteScope.apply(super.applyStatementSettings(statement));
    }

    @Override
    protected AsyncPreparedStatementCreator newAsyncPreparedStatementCreator(String cql) {
        return WriteScope.suspend(() -> super.newAsyncPreparedStatementCreator(cql));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> query(
            AsyncPreparedStatementCreator creator,
            @Nullable PreparedStatementBinder binder,
            AsyncResultSetExtractor<T> extractor) {
        WriteScope scope = WriteScope.current();
        if (scope == null) {
            return super.query(creator, binder, extractor);
        }
        PreparedStatementBinder scoped =
                prepared -> scope.applyTo(binder == null ? prepared.bind() : binder.bindValues(prepared));
        return super.query(creator, scoped, extractor);
    }
}
