package io.surewrite.alledeals.demo;

import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.util.ClassUtils;

/** Tells the embedded server of development, which the packaged application does not have, from a real cluster. */
final class EmbeddedServer {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails", EmbeddedServer.class.getClassLoader());

    private EmbeddedServer() {}

    static boolean isMeantBy(CassandraConnectionDetails details) {
        return PRESENT && details instanceof EmbeddedCassandraConnectionDetails;
    }
}
