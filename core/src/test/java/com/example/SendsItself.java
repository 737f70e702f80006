package com.example;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.WriteScope;
import io.surewrite.retry.Idempotent;
import java.util.UUID;

/** Beans of a user with retried methods that send by the session. */
public final class SendsItself {

    private SendsItself() {}

    /** Takes no care. */
    public static class Careless {

        private final CqlSession session;

        public Careless(CqlSession session) {
            this.session = session;
        }

        @Idempotent
        public void write(UUID id) {
            session.execute("UPDATE note SET text = 'x' WHERE id = ?", id);
        }
    }

    /** Has done what the message said. */
    public static class Careful {

        private final CqlSession session;

        public Careful(CqlSession session) {
            this.session = session;
        }

        @Idempotent
        public void write(UUID id) {
            session.execute(
                    WriteScope.apply(SimpleStatement.newInstance("UPDATE note SET text = 'careful' WHERE id = ?", id)));
        }
    }
}
