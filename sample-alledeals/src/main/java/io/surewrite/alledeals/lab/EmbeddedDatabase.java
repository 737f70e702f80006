package io.surewrite.alledeals.lab;

import io.surewrite.embedded.SharedCassandra;
import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;

/** The embedded server; loaded only where there is one. It is frozen, so that it loses nothing and is back at once. */
final class EmbeddedDatabase implements DatabaseSwitch {

    private final SharedCassandra server;

    private EmbeddedDatabase(SharedCassandra server) {
        this.server = server;
    }

    static DatabaseSwitch of(CassandraConnectionDetails details) {
        return new EmbeddedDatabase(((EmbeddedCassandraConnectionDetails) details).getServer());
    }

    @Override
    public boolean canStop() {
        return server.canPause();
    }

    @Override
    public void stop() {
        server.pause();
    }

    @Override
    public void start() {
        server.resume();
    }
}
