package io.surewrite.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** What becomes of the driver's session. */
enum SessionMode {

    /** It gets what sure writes need, each only where the application has set nothing. */
    FULL,

    /** It stays as it is. */
    OFF;

    static SessionMode of(Environment environment) {
        return Binder.get(environment)
                .bind("surewrite.session.mode", SessionMode.class)
                .orElse(FULL);
    }
}
