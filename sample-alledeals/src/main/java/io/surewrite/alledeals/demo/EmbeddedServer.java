package io.surewrite.alledeals.demo;

import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Tells the embedded server of development, which the packaged application does not have, from a real cluster. */
public final class EmbeddedServer {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails", EmbeddedServer.class.getClassLoader());

    private EmbeddedServer() {}

    /** Whether the application runs on the embedded server. */
    public static boolean isMeantBy(CassandraConnectionDetails details) {
        return PRESENT && details instanceof EmbeddedCassandraConnectionDetails;
    }

    /**
     * Whether the shop is there for this machine alone: it runs on the embedded server, which everybody may stop in the Lab,
     * and {@code server.address} does not say otherwise.
     */
    public static boolean isForThisMachineAlone(ListableBeanFactory beans, Environment environment) {
        return PRESENT
                && !environment.containsProperty("server.address")
                && beans.getBeanNamesForType(EmbeddedCassandraConnectionDetails.class, true, false).length > 0;
    }
}
