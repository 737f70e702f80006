package io.surewrite.embedded.junit;

import io.surewrite.embedded.SharedCassandra;

/** A test class's keyspace, which goes away with the class. */
record OwnedKeyspace(TestKeyspace keyspace) implements AutoCloseable {

    static OwnedKeyspace create(Class<?> testClass) {
        SharedCassandra server = SharedCassandra.get();
        return new OwnedKeyspace(new TestKeyspace(server, server.createFreshKeyspace(testClass.getSimpleName())));
    }

    @Override
    public void close() {
        keyspace.server().dropKeyspace(keyspace.name());
    }
}
