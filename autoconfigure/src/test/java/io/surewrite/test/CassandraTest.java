package io.surewrite.test;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.autoconfigure.StarterSession;
import io.surewrite.embedded.SharedCassandra;
import io.surewrite.embedded.junit.TestKeyspace;
import io.surewrite.testsupport.ContextCounter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * A test on the shared embedded server, in a keyspace that is fresh for each test class and empty to begin with.
 *
 * <p>It offers the session that the starter makes, and {@link #application()} for tests of whole applications.
 */
public abstract class CassandraTest {

    protected static TestKeyspace keyspace;

    private static final String CREATES_TABLES = "surewrite.schema.initialize=always";

    /** The starter's session, with the profile for conditional writes. */
    protected static CqlSession session;

    private static final Map<List<Class<?>>, ConfigurableApplicationContext> SHARED = new HashMap<>();

    /** An option of the driver. A session that knows all keyspaces reads them when it opens, and again whenever any of them changes. */
    private static final String KNOWN_KEYSPACES = "datastax-java-driver.advanced.metadata.schema.refreshed-keyspaces.0";

    @BeforeAll
    static void connect(TestInfo test) {
        Class<?> type = test.getTestClass().orElseThrow();
        SharedCassandra server = SharedCassandra.get();
        keyspace = new TestKeyspace(server, server.createFreshKeyspace(type.getSimpleName()));
        if (!type.isAnnotationPresent(SeveralKeyspaces.class)) {
            System.setProperty(KNOWN_KEYSPACES, keyspace.name());
        }
        session = StarterSession.open(keyspace, !type.isAnnotationPresent(DriverAsItIs.class));
    }

    @AfterAll
    static void disconnect() {
        SHARED.values().forEach(ConfigurableApplicationContext::close);
        SHARED.clear();
        System.clearProperty(KNOWN_KEYSPACES);
        session.close(); // The keyspace goes away with the server: dropping it takes longer than a test.
    }

    /**
     * An application on this keyspace that creates its tables, with Spring Data's templates and every auto-configuration
     * of ours. Repositories are switched on by the test, with {@code @EnableCassandraRepositories}.
     */
    protected static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withInitializer(new ContextCounter())
                .withConfiguration(autoConfigurations(all -> true))
                .withPropertyValues(connection())
                .withPropertyValues(CREATES_TABLES);
    }

    /**
     * Such an application, with Spring Data's reactive templates, too. It stays open until the tests of the class are over, which share it.
     *
     * @param properties of the first test that asks for it
     */
    protected static ApplicationContext shared(List<String> properties, Class<?>... configurations) {
        return SHARED.computeIfAbsent(List.of(configurations), own -> {
            AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
            new ContextCounter().initialize(context);
            TestPropertyValues.of(connection())
                    .and(CREATES_TABLES)
                    .and(properties.toArray(String[]::new))
                    .applyTo(context);
            own.forEach(context::register);
            context.register(Configurations.getClasses(
                    autoConfigurations(all -> true),
                    AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class)));
            context.refresh();
            return context;
        });
    }

    static AutoConfigurations autoConfigurations(Predicate<String> wanted) {
        List<Class<?>> configurations =
                new ArrayList<>(List.of(CassandraAutoConfiguration.class, DataCassandraAutoConfiguration.class));
        ClassLoader loader = CassandraTest.class.getClassLoader();
        for (String name : ImportCandidates.load(AutoConfiguration.class, loader)) {
            if (name.startsWith("io.surewrite.") && wanted.test(name)) {
                configurations.add(ClassUtils.resolveClassName(name, loader));
            }
        }
        return AutoConfigurations.of(configurations.toArray(Class<?>[]::new));
    }

    /** The properties of Spring Boot that lead to this keyspace. */
    protected static String[] connection() {
        SharedCassandra server = keyspace.server();
        return new String[] {
            "spring.cassandra.contact-points=127.0.0.1:" + server.contactPoint().getPort(),
            "spring.cassandra.local-datacenter=" + server.localDatacenter(),
            "spring.cassandra.keyspace-name=" + keyspace.name(),
            "spring.cassandra.request.timeout=30s", // DDL on a busy build machine
            "spring.cassandra.config=classpath:io/surewrite/test/driver.conf"
        };
    }
}
