package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import io.surewrite.embedded.junit.TestKeyspace;
import io.surewrite.write.SureSessionBuilder;
import java.time.Duration;

/** The session that an application with the starter has, without the application. */
public final class StarterSession {

    private StarterSession() {}

    /**
     * Opens one, as the starter does.
     *
     * @param keyspace its keyspace
     * @return a session with the defaults of the starter, and without courtesy waits
     */
    public static CqlSession open(TestKeyspace keyspace) {
        ProgrammaticDriverConfigLoaderBuilder config = DriverConfigLoader.programmaticBuilder()
                .withDuration(
                        DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30)) // DDL on a busy build machine
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ofMillis(1))
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
        Duration patience = Duration.ofSeconds(5);
        new SessionDefaults(new ConditionalWriteProperties(DefaultConsistencyLevel.SERIAL, null, patience, patience))
                .customize(config);
        CqlSession session = SureSessionBuilder.from(CqlSession.builder())
                .withConfigLoader(config.build())
                .addContactPoint(keyspace.server().contactPoint())
                .withLocalDatacenter(keyspace.server().localDatacenter())
                .withKeyspace(keyspace.name())
                .build();
        return (CqlSession) new SessionCheck().postProcessAfterInitialization(session, "cassandraSession");
    }
}
