package io.surewrite.cql.session;

import io.surewrite.cql.WriteScope;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.PreparedStatementBinder;
import org.springframework.data.cassandra.core.cql.PreparedStatementCreator;
import org.springframework.data.cassandra.core.cql.ResultSetExtractor;

/** A {@link CqlTemplate} whose sessions apply the {@link WriteScope} of the calling thread to every statement. */
public class ScopedCqlTemplate extends CqlTemplate {

    private final PreparedTexts texts = new PreparedTexts();

    /**
     * Creates the template.
     *
     * @param sessionFactory gives the session
     */
    public ScopedCqlTemplate(SessionFactory sessionFactory) {
        super(TemplateScope.scoped(sessionFactory));
    }

    @Override
    public <T extends @Nullable Object> T query(
            PreparedStatementCreator creator,
            @Nullable PreparedStatementBinder binder,
            ResultSetExtractor<T> extractor) {
        return super.query(texts.insteadOf(creator), binder, extractor);
    }

    @Override
    protected PreparedStatementCreator newPreparedStatementCreator(String cql) {
        return new PreparedTexts.Recalling(cql, WriteScope.suspend(() -> super.newPreparedStatementCreator(cql)));
    }
}
