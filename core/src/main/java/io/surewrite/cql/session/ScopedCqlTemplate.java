package io.surewrite.cql.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.SentWrites;
import io.surewrite.cql.WriteScope;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.CassandraTemplate.PreparedStatementHandler;
import org.springframework.data.cassandra.core.cql.CqlProvider;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.PreparedStatementBinder;
import org.springframework.data.cassandra.core.cql.PreparedStatementCreator;
import org.springframework.data.cassandra.core.cql.ResultSetExtractor;
import org.springframework.util.ConcurrentReferenceHashMap;

/** A {@link CqlTemplate} whose sessions apply the {@link WriteScope} of the calling thread to every statement. */
public class ScopedCqlTemplate extends CqlTemplate {

    /** By text, so that the same statement is not made anew on every call. Given up when memory is short. */
    private final Map<String, PreparedStatementCreator> creators = new ConcurrentReferenceHashMap<>();

    /**
     * Creates the template.
     *
     * @param sessionFactory gives the session
     */
    public ScopedCqlTemplate(SessionFactory sessionFactory) {
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
    public <T extends @Nullable Object> T query(
            PreparedStatementCreator creator,
            @Nullable PreparedStatementBinder binder,
            ResultSetExtractor<T> extractor) {
        return super.query(known(creator), binder, extractor);
    }

    @Override
    protected PreparedStatementCreator newPreparedStatementCreator(String cql) {
        return new Recalling(cql, WriteScope.suspend(() -> super.newPreparedStatementCreator(cql)));
    }

    /** Of what Spring Data makes to prepare a text and nothing else; any other creator stays. */
    private PreparedStatementCreator known(PreparedStatementCreator creator) {
        if (creator.getClass() != PreparedStatementHandler.class) {
            return creator;
        }
        String cql = ((PreparedStatementHandler) creator).getCql();
        PreparedStatementCreator known = creators.get(cql);
        return known != null ? known : creators.computeIfAbsent(cql, ScopedCqlTemplate::prepares);
    }

    private static PreparedStatementCreator prepares(String cql) {
        SimpleStatement statement = SimpleStatement.newInstance(cql);
        return new Recalling(cql, session -> session.prepare(statement));
    }

    /**
     * Prepares, and makes do with what was prepared before if that fails.
     *
     * @param getCql the text
     * @param creator prepares it
     */
    private record Recalling(String getCql, PreparedStatementCreator creator)
            implements PreparedStatementCreator, CqlProvider {

        @Override
        public PreparedStatement createPreparedStatement(CqlSession session) {
            try {
                return creator.createPreparedStatement(session);
            } catch (RuntimeException failure) { // some errors of a node are no DriverException here
                PreparedStatement recalled =
                        SentWrites.preparedBefore(WriteScope.current(), getCql, session.getContext(), failure);
                if (recalled == null) {
                    throw failure;
                }
                return recalled;
            }
        }
    }
}
