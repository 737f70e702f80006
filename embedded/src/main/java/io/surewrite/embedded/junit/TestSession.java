package io.surewrite.embedded.junit;

import com.datastax.oss.driver.api.core.CqlSession;

/** A test class's session, which goes away with the class. */
record TestSession(CqlSession session) implements AutoCloseable {

    static TestSession open(TestKeyspace keyspace) {
        return new TestSession(CqlSession.builder()
                .addContactPoints(keyspace.server().contactPoints())
                .withLocalDatacenter(keyspace.server().localDatacenter())
                .withKeyspace(keyspace.name())
                .build());
    }

    @Override
    public void close() {
        session.close();
    }
}
