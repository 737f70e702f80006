package io.surewrite.embedded.junit;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.time.Duration;

/** A test class's session, which goes away with the class. */
record TestSession(CqlSession session) implements AutoCloseable {

    private static final Duration DDL_ON_A_BUSY_MACHINE = Duration.ofSeconds(30);

    static TestSession open(TestKeyspace keyspace) {
        return new TestSession(CqlSession.builder()
                .addContactPoints(keyspace.server().contactPoints())
                .withLocalDatacenter(keyspace.server().localDatacenter())
                .withKeyspace(keyspace.name())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, DDL_ON_A_BUSY_MACHINE)
                        .build())
                .build());
    }

    @Override
    public void close() {
        session.close();
    }
}
