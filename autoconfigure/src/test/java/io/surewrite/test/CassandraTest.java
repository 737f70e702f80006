package io.surewrite.test;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.junit.TestKeyspace;
import io.surewrite.testsupport.ContextCounter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/**
 * A test on the shared embedded server, in a keyspace that is fresh for each test class and empty to begin with (but
 * see {@link TestConnection#KEPT}).
 *
 * <p>It offers the session that the starter makes, and {@link #application()} for tests of whole applications.
 */
public abstract class CassandraTest {

    protected static TestKeyspace keyspace;

    /** The starter's session, with the profile for conditional writes. */
    protected static CqlSession session;

    private static TestConnection connection;

    @BeforeAll
    static void connect(TestInfo test) {
        connection = TestConnection.of(test.getTestClass().orElseThrow());
        keyspace = connection.keyspace();
        session = connection.session();
    }

    @AfterAll
    static void disconnect() {
        connection.close();
    }

    /**
     * An application on this keyspace that creates its tables, with Spring Data's templates and every auto-configuration
     * of ours. Repositories are switched on by the test, with {@code @EnableCassandraRepositories}.
     */
    protected static ApplicationContextRunner application() {
        List<Class<?>> configurations =
                new ArrayList<>(List.of(CassandraAutoConfiguration.class, DataCassandraAutoConfiguration.class));
        ClassLoader loader = CassandraTest.class.getClassLoader();
        for (String name : ImportCandidates.load(AutoConfiguration.class, loader)) {
            if (name.startsWith("io.surewrite.")) {
                configurations.add(ClassUtils.resolveClassName(name, loader));
            }
        }
        return new ApplicationContextRunner()
                .withInitializer(new ContextCounter())
                .withConfiguration(AutoConfigurations.of(configurations.toArray(Class<?>[]::new)))
                .withPropertyValues(connection())
                .withPropertyValues("surewrite.schema.initialize=always");
    }

    /** The properties of Spring Boot that lead to this keyspace. */
    protected static String[] connection() {
        return connection.properties();
    }
}
