package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.util.ClassUtils;

/** Tells the embedded server, which is an optional dependency, from every other. */
final class EmbeddedServer {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails", EmbeddedServer.class.getClassLoader());

    private EmbeddedServer() {}

    /** Asks the session too: its configuration may lead it elsewhere, whatever the connection details say. */
    static boolean serves(CqlSession session, @Nullable CassandraConnectionDetails details) {
        if (!PRESENT || !(details instanceof EmbeddedCassandraConnectionDetails embedded)) {
            return false;
        }
        Set<InetSocketAddress> addresses = embedded.getContactPoints().stream()
                .map(node -> new InetSocketAddress(node.host(), node.port()))
                .collect(Collectors.toSet());
        return session.getMetadata().getNodes().values().stream()
                .allMatch(node -> addresses.contains(node.getEndPoint().resolve()));
    }
}
