package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import io.surewrite.embedded.junit.TestKeyspace;
import io.surewrite.internal.lwt.ConditionalProfile;
import io.surewrite.write.SureSessionBuilder;
import java.time.Duration;
import org.springframework.mock.env.MockEnvironment;

/** The session that an application with the starter has, without the application. */
public final class StarterSession {

    private StarterSession() {}

    /** Without courtesy waits. What is not full leaves the driver as it is. */
    public static CqlSession open(TestKeyspace keyspace, boolean full) {
        MockEnvironment environment =
                new MockEnvironment().withProperty("surewrite.session.mode", full ? "full" : "off");
        ProgrammaticDriverConfigLoaderBuilder config = DriverConfigLoader.programmaticBuilder()
                .withDuration(
                        DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30)) // DDL on a busy build machine
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ofMillis(1))
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
        Duration patience = Duration.ofSeconds(5);
        new SessionDefaults(
                        new ConditionalWriteProperties(DefaultConsistencyLevel.SERIAL, null, patience, patience),
                        environment)
                .customize(config);
        CqlSessionBuilder builder = full ? SureSessionBuilder.from(CqlSession.builder()) : CqlSession.builder();
        CqlSession session = builder.withConfigLoader(config.build())
                .addContactPoint(keyspace.server().contactPoint())
                .withLocalDatacenter(keyspace.server().localDatacenter())
                .withKeyspace(keyspace.name())
                .build();
        SessionCheck check = new SessionCheck();
        check.setEnvironment(environment);
        check.postProcessAfterInitialization(session, "cassandraSession");
        return ConditionalProfile.DEFAULT.on(session); // the same one, if it has the profile
    }
}
