package com.example;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.retry.Idempotent;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.CqlOperations;

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

        private final CqlOperations template;

        public Careful(CqlOperations template) {
            this.template = template;
        }

        @Idempotent
        public void write(UUID id) {
            template.execute(
                    (CqlSession session) -> session.execute("UPDATE note SET text = 'careful' WHERE id = ?", id));
        }
    }
}
