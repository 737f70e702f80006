package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PrepareRequest;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.internal.core.cql.DefaultPrepareRequest;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.write.WriteScope;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.CassandraTemplate.PreparedStatementHandler;
import org.springframework.data.cassandra.core.cql.CqlProvider;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.PreparedStatementBinder;
import org.springframework.data.cassandra.core.cql.PreparedStatementCreator;
import org.springframework.data.cassandra.core.cql.ResultSetExtractor;

/**
 * A {@link CqlTemplate} whose sessions apply the {@link WriteScope} of the calling thread, and note what becomes of each statement.
 */
public class ScopedCqlTemplate extends CqlTemplate {

    /** By text, so that the same request is not made anew on every call. */
    private final CqlText.Made<String, PreparedStatementCreator> creators =
            new CqlText.Made<>(cql -> new Known(cql, new Hashed(cql)));

    public ScopedCqlTemplate(SessionFactory sessionFactory) {
        super(TemplateScope.scoped(sessionFactory));
    }

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

    /** Of what Spring Data makes to prepare a text and nothing else; any other creator stays. */
    private PreparedStatementCreator known(PreparedStatementCreator creator) {
        if (creator.getClass() != PreparedStatementHandler.class) {
            return creator;
        }
        String cql = ((PreparedStatementHandler) creator).getCql();
        return creators.get(cql, cql);
    }

    /** Looks a text up in the driver's cache of prepared statements. */
    private record Known(String getCql, PrepareRequest request) implements PreparedStatementCreator, CqlProvider {

        @Override
        public PreparedStatement createPreparedStatement(CqlSession session) {
            return Objects.requireNonNull(session.execute(request, PrepareRequest.SYNC));
        }
    }

    /** Equal to the driver's own request for the text, whose hash and equality take longer than all the rest of a look-up. */
    private static final class Hashed extends DefaultPrepareRequest {

        private final int hash = super.hashCode();

        private Hashed(String cql) {
            super(cql);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other || super.equals(other);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
