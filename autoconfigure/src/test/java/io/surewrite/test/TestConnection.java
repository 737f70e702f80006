package io.surewrite.test;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.autoconfigure.StarterSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.embedded.SharedCassandra;
import io.surewrite.embedded.junit.TestKeyspace;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A test class's keyspace, fresh and empty, and the starter's session in it. Only where a test runs again and again in one
 * JVM, in mutation testing, the session is kept until the JVM ends, and the keyspace for the next JVM, as a keyspace costs more
 * than a test: there tests make the tables that are missing, and use rows of their own. Those that cannot do so drop their keyspace
 * there: hundreds of them would fill the server.
 */
public final class TestConnection implements AutoCloseable {

    /** The system property that says what becomes of them: {@code true} keeps them, {@code false} drops the keyspace. */
    public static final String KEPT = "io.surewrite.test.kept-keyspaces";

    /** An option of the driver. A session that knows all keyspaces reads them when it opens, and again whenever any of them changes. */
    private static final String KNOWN_KEYSPACES = "datastax-java-driver.advanced.metadata.schema.refreshed-keyspaces.0";

    private static final Map<Class<?>, TestConnection> KEPT_CONNECTIONS = new ConcurrentHashMap<>();

    private final TestKeyspace keyspace;
    private final CqlSession session;
    private final boolean kept;
    private final boolean knowsAllKeyspaces;

    private TestConnection(Class<?> testClass, TestKeyspace keyspace, boolean kept) {
        this.keyspace = keyspace;
        this.kept = kept;
        knowsAllKeyspaces = testClass.isAnnotationPresent(SeveralKeyspaces.class);
        begin();
        session = StarterSession.open(keyspace, !testClass.isAnnotationPresent(DriverAsItIs.class));
    }

    static TestConnection of(Class<?> testClass) {
        if (!Boolean.getBoolean(KEPT)) {
            return fresh(testClass, SharedCassandra.get());
        }
        TestConnection connection = KEPT_CONNECTIONS.computeIfAbsent(testClass, TestConnection::kept);
        connection.begin();
        return connection;
    }

    private static TestConnection fresh(Class<?> testClass, SharedCassandra server) {
        String name = server.createFreshKeyspace(testClass.getSimpleName());
        return new TestConnection(testClass, new TestKeyspace(server, name), false);
    }

    private static TestConnection kept(Class<?> testClass) {
        SharedCassandra server = longLivedServer();
        String name = KeptName.of(server.contactPoint().getPort() + "-" + testClass.getSimpleName());
        return new TestConnection(testClass, new TestKeyspace(server, server.createKeyspaceFor(name)), true);
    }

    /** From here on, until it is closed, sessions in this JVM know its keyspace alone. */
    private void begin() {
        if (!knowsAllKeyspaces) {
            System.setProperty(KNOWN_KEYSPACES, keyspace.name());
        }
    }

    /**
     * The shared server of those that keep them: it works for an hour, so that compiling it pays, and holds what hundreds of JVMs wrote.
     *
     * @return the server
     */
    public static SharedCassandra longLivedServer() {
        return SharedCassandra.get(
                EmbeddedCassandra.builder().heapMegabytes(4096).jvmArgument("-XX:TieredStopAtLevel=4"));
    }

    TestKeyspace keyspace() {
        return keyspace;
    }

    CqlSession session() {
        return session;
    }

    /** The properties of Spring Boot that lead to this keyspace. */
    String[] properties() {
        SharedCassandra server = keyspace.server();
        return new String[] {
            "spring.cassandra.contact-points=127.0.0.1:" + server.contactPoint().getPort(),
            "spring.cassandra.local-datacenter=" + server.localDatacenter(),
            "spring.cassandra.keyspace-name=" + keyspace.name(),
            "spring.cassandra.request.timeout=30s", // DDL on a busy build machine
            "spring.cassandra.config=classpath:io/surewrite/test/driver.conf"
        };
    }

    @Override
    public void close() {
        System.clearProperty(KNOWN_KEYSPACES);
        if (kept) {
            return;
        }
        // Elsewhere the keyspace goes away with the server: dropping it takes longer than a test.
        if (System.getProperty(KEPT) != null) {
            session.execute("DROP KEYSPACE IF EXISTS " + keyspace.name());
        }
        session.close();
    }
}
