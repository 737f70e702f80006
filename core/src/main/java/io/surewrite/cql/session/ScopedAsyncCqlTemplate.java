package io.surewrite.cql.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.SentWrites;
import io.surewrite.cql.WriteScope;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;
import org.springframework.data.cassandra.core.cql.AsyncPreparedStatementCreator;
import org.springframework.data.cassandra.core.cql.AsyncResultSetExtractor;
import org.springframework.data.cassandra.core.cql.CqlProvider;
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
        super(TemplateScope.scoped(sessionFactory));
    }

    /**
     * {@inheritDoc} Its sessions apply the scope, and note what becomes of the statements.
     */
    @Override
    public void setSessionFactory(SessionFactory sessionFactory) {
        super.setSessionFactory(TemplateScope.scoped(sessionFactory));
    }

    @Override
    protected AsyncPreparedStatementCreator newAsyncPreparedStatementCreator(String cql) {
        AsyncPreparedStatementCreator creator = WriteScope.suspend(() -> super.newAsyncPreparedStatementCreator(cql));
        WriteScope scope = WriteScope.current();
        return scope == null ? creator : new Recalling(scope, cql, creator);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> query(
            AsyncPreparedStatementCreator creator,
            @Nullable PreparedStatementBinder binder,
            AsyncResultSetExtractor<T> extractor) {
        WriteScope scope = WriteScope.current();
        boolean sureReads = scope == null && SureReads.isEntered();
        if (scope == null && !sureReads) {
            return super.query(creator, binder, extractor);
        }
        PreparedStatementBinder scoped = prepared -> {
            BoundStatement bound = binder == null ? prepared.bind() : binder.bindValues(prepared);
            // With the template's own settings, which come first.
            return (BoundStatement) scoped(super.applyStatementSettings(bound), scope);
        };
        return super.query(
                scope != null && creator instanceof CqlProvider provider
                        ? new Recalling(scope, provider.getCql(), creator)
                        : creator,
                scoped,
                extractor);
    }

    private Statement<?> scoped(Statement<?> statement, @Nullable WriteScope scope) {
        SessionFactory sessions = getSessionFactory();
        if (sessions == null) {
            return scope == null ? statement : scope.applyTo(statement);
        }
        DriverContext session = sessions.getSession().getContext();
        return scope == null ? SureReads.applyTo(statement, session) : scope.applyTo(statement, session);
    }

    /**
     * Prepares, and makes do with what was prepared before if that fails.
     *
     * @param scope of the caller: the answer comes on another thread
     * @param getCql the text
     * @param creator prepares it
     */
    private record Recalling(WriteScope scope, String getCql, AsyncPreparedStatementCreator creator)
            implements AsyncPreparedStatementCreator, CqlProvider {

        @Override
        public CompletionStage<PreparedStatement> createPreparedStatement(CqlSession session) {
            return creator.createPreparedStatement(session).exceptionally(failure -> {
                PreparedStatement recalled = SentWrites.preparedBefore(scope, getCql, session.getContext(), failure);
                if (recalled == null) {
                    throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
                }
                return recalled;
            });
        }
    }
}
