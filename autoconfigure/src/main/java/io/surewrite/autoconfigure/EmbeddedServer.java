package io.surewrite.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;

final class EmbeddedServer {

    private EmbeddedServer() {}

    static boolean isBehind(@Nullable CassandraConnectionDetails details) {
        return details != null && details.getClass().getName().startsWith("io.surewrite.embedded.boot.");
    }
}
