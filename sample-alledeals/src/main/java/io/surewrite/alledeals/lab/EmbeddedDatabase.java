package io.surewrite.alledeals.lab;

import io.surewrite.embedded.SharedCassandra;
import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;

/** The embedded server; loaded only where there is one. It is frozen, so that it loses nothing and is back at once. */
final class EmbeddedDatabase implements DatabaseSwitch {

    private final SharedCassandra server;
    private final ApplicationAvailability shop;
    private boolean stopped;

    private EmbeddedDatabase(SharedCassandra server, ApplicationAvailability shop) {
        this.server = server;
        this.shop = shop;
    }

    static DatabaseSwitch of(CassandraConnectionDetails details, ApplicationAvailability shop) {
        return new EmbeddedDatabase(((EmbeddedCassandraConnectionDetails) details).getServer(), shop);
    }

    /** Pages are there before the demo data is, and the shop could not make that without a database. */
    @Override
    public boolean canStop() {
        return server.canPause() && shop.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC;
    }

    @Override
    public synchronized void stop() {
        stopped = true;
        server.pause();
    }

    @Override
    public synchronized void start() {
        if (stopped) {
            server.resume();
            stopped = false;
        }
    }
}
