package io.surewrite.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The consistency level of sure statements: what is annotated with @Idempotent, reads of repositories that have such
 * methods, and overwrites.
 *
 * @param level Their level where the application sets none, on the statement, in an execution profile or by
 *     spring.cassandra.request.consistency.
 */
@ConfigurationProperties("surewrite.consistency")
record ConsistencyProperties(@DefaultValue("majority") Level level) {

    /** Where the level comes from. */
    enum Level {

        /** LOCAL_QUORUM; QUORUM where a table refuses local levels. */
        MAJORITY,

        /** The driver's own: LOCAL_ONE. */
        DRIVER
    }

    boolean isMajority() {
        return level == Level.MAJORITY;
    }
}
