package io.surewrite.autoconfigure;

import io.surewrite.write.InvalidConfigurationException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * What a bean is where the session is none of the driver's, as a mock in a test: the application starts, and learns it when it calls the
 * bean.
 */
final class StandIn {

    private StandIn() {}

    static <T> T of(Class<T> type) {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> "Stand-in of " + type.getSimpleName();
            case "close" -> null;
            default ->
                throw new InvalidConfigurationException(
                        type.getSimpleName(),
                        "%s.%s was called, and the CqlSession is none of the driver's, but a mock."
                                .formatted(type.getSimpleName(), method.getName()),
                        "Replace the %s by a mock, too.".formatted(type.getSimpleName()),
                        "session");
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
