package com.example;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.retry.Idempotent;

/** Has a session injected, which no scope reaches. */
public class SessionUser {

    private final CqlSession session;

    public SessionUser(CqlSession session) {
        this.session = session;
    }

    @Idempotent
    public void send() {
        session.execute("SELECT key FROM system.local");
    }
}
