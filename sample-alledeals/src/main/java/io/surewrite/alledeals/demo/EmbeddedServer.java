package io.surewrite.alledeals.demo;

import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.util.ClassUtils;

/** Tells the embedded server of development, which the packaged application does not have, from a real cluster. */
public final class EmbeddedServer {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails", EmbeddedServer.class.getClassLoader());

    private EmbeddedServer() {}

    /**
     * Whether the application runs on the embedded server.
     *
     * @param details how it connects
     * @return false on every other server
     */
    public static boolean isMeantBy(CassandraConnectionDetails details) {
        return PRESENT && details instanceof EmbeddedCassandraConnectionDetails;
    }
}
