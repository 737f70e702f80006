package io.surewrite.cql.session;

import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;

/**
 * An {@link AsyncCqlTemplate} whose sessions apply the {@link io.surewrite.cql.WriteScope} of the thread that calls it,
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
}
