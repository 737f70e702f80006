package io.surewrite.autoconfigure;

import io.surewrite.write.InvalidConfigurationException;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;

/**
 * What a bean is where the session is none of the driver's, as a mock in a test: the application starts, and learns it when it calls the
 * bean.
 */
final class StandIn {

    private StandIn() {}

    static <T> T of(Class<T> type) {
        MethodInterceptor calls = call -> switch (call.getMethod().getName()) {
            case "toString" -> "Stand-in of " + type.getSimpleName();
            case "close" -> null;
            default ->
                throw new InvalidConfigurationException(
                        type.getSimpleName(),
                        "%s.%s was called, and the CqlSession is none of the driver's, but a mock."
                                .formatted(
                                        type.getSimpleName(), call.getMethod().getName()),
                        "Replace the %s by a mock, too.".formatted(type.getSimpleName()),
                        "session");
        };
        return ProxyFactory.getProxy(type, calls);
    }
}
