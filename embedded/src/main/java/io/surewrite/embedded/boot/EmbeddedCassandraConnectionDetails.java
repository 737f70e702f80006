package io.surewrite.embedded.boot;

import io.surewrite.embedded.SharedCassandra;
import java.util.List;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;

/**
 * How to connect to the embedded Cassandra. A bean of this type means that the application runs on a development server.
 */
public final class EmbeddedCassandraConnectionDetails implements CassandraConnectionDetails {

    private final SharedCassandra server;
    private final String keyspace;

    EmbeddedCassandraConnectionDetails(SharedCassandra server, String keyspace) {
        this.server = server;
        this.keyspace = keyspace;
    }

    @Override
    public List<Node> getContactPoints() {
        return server.contactPoints().stream()
                .map(address -> new Node(address.getAddress().getHostAddress(), address.getPort()))
                .toList();
    }

    @Override
    public String getLocalDatacenter() {
        return server.localDatacenter();
    }

    /**
     * The server itself.
     *
     * @return the one that this JVM shares
     */
    public SharedCassandra getServer() {
        return server;
    }

    /**
     * The keyspace that was made for this application.
     *
     * @return its name
     */
    public String getKeyspace() {
        return keyspace;
    }
}
