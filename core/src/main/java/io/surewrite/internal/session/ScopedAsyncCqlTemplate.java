package io.surewrite.internal.session;

import io.surewrite.write.WriteScope;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;
import org.springframework.data.cassandra.core.cql.AsyncPreparedStatementCreator;
import org.springframework.data.cassandra.core.cql.AsyncResultSetExtractor;
import org.springframework.data.cassandra.core.cql.PreparedStatementBinder;

/**
 * An {@link AsyncCqlTemplate} whose sessions apply the {@link io.surewrite.write.WriteScope} of the thread that calls it,
 * although it binds prepared statements on a thread of the driver.
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

    @Override
    public void setSessionFactory(SessionFactory sessionFactory) {
        super.setSessionFactory(TemplateScope.scoped(sessionFactory));
    }

    /** A creator may prepare on a thread of its own, where binding and sending follow: the caller's scope goes along. */
    @Override
    public <T extends @Nullable Object> CompletableFuture<T> query(
            AsyncPreparedStatementCreator creator,
            @Nullable PreparedStatementBinder binder,
            AsyncResultSetExtractor<T> extractor) {
        WriteScope scope = WriteScope.current();
        if (scope == null && !SureReads.isEntered()) {
            return super.query(creator, binder, extractor);
        }
        return super.query(
                session -> ScopedCqlSession.heardIn(scope, creator.createPreparedStatement(session)),
                binder,
                extractor);
    }
}
