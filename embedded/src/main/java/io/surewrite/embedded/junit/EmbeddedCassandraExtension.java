package io.surewrite.embedded.junit;

import io.surewrite.embedded.SharedCassandra;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * What {@link EmbeddedCassandraTest} does; nothing starts before a test asks for it. JUnit closes what is in the store of
 * the outermost test class when that class is done, the session before its keyspace.
 */
final class EmbeddedCassandraExtension implements ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(EmbeddedCassandraExtension.class);
    private static final String SESSION_TYPE = "com.datastax.oss.driver.api.core.CqlSession";

    EmbeddedCassandraExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestKeyspace.class || type == SharedCassandra.class || isSession(type);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == SharedCassandra.class) {
            return SharedCassandra.get();
        }
        ExtensionContext outermost = outermostClass(context);
        return isSession(type) ? session(outermost) : keyspace(outermost);
    }

    /** The name is compared, so that tests without the driver never load it. */
    private static boolean isSession(Class<?> type) {
        return type.getName().equals(SESSION_TYPE);
    }

    private static ExtensionContext outermostClass(ExtensionContext context) {
        ExtensionContext outermost = context;
        for (ExtensionContext it = context;
                it.getTestClass().isPresent();
                it = it.getParent().orElseThrow()) {
            outermost = it;
        }
        return outermost;
    }

    private static TestKeyspace keyspace(ExtensionContext testClass) {
        Store store = testClass.getStore(NAMESPACE);
        return store.computeIfAbsent(
                        "keyspace", key -> OwnedKeyspace.create(testClass.getRequiredTestClass()), OwnedKeyspace.class)
                .keyspace();
    }

    private static Object session(ExtensionContext testClass) {
        TestKeyspace keyspace = keyspace(testClass);
        return testClass
                .getStore(NAMESPACE)
                .computeIfAbsent("session", key -> TestSession.open(keyspace), TestSession.class)
                .session();
    }
}
