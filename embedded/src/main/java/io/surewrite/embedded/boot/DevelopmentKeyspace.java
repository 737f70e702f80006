package io.surewrite.embedded.boot;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.embedded.SharedCassandra;
import org.springframework.core.env.Environment;

/** Chooses and makes the keyspace of a development server. */
final class DevelopmentKeyspace {

    private static final String DEFAULT_NAME = "surewrite_dev";

    private DevelopmentKeyspace() {}

    static String create(SharedCassandra server, Environment environment, boolean unique) {
        String chosen = environment.getProperty("spring.cassandra.keyspace-name", "");
        if (!chosen.isBlank()) {
            String name = CqlIdentifier.fromCql(chosen).asInternal();
            server.createKeyspace(name);
            return name;
        }
        String application = environment.getProperty("spring.application.name", "");
        String hint = application.isBlank() ? DEFAULT_NAME : application;
        return unique ? server.createFreshKeyspace(hint) : server.createKeyspaceFor(hint);
    }
}
