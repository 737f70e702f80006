package io.surewrite.cql.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.session.SessionWrapper;

/** A session that changes some requests on their way to another one. All the driver's methods send through one. */
public abstract class SessionDecorator extends SessionWrapper implements CqlSession {

    protected SessionDecorator(CqlSession session) {
        super(session);
    }
}
