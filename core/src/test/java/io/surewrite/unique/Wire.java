package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** What lies between a guard and a real server: sees every request, and may lose or delay it, or its answer. */
@FunctionalInterface
interface Wire {

    /** A request is to be sent, and counted from 1. {@return what the guard is answered} */
    CompletionStage<AsyncResultSet> send(
            int number, Statement<?> statement, Supplier<CompletionStage<AsyncResultSet>> request);

    /** {@return a session like the given one, with the wire in between} */
    static CqlSession between(CqlSession session, Wire wire) {
        AtomicInteger number = new AtomicInteger();
        return (CqlSession) Proxy.newProxyInstance(
                Wire.class.getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("executeAsync") && arguments[0] instanceof Statement<?> statement) {
                        return wire.send(number.incrementAndGet(), statement, () -> session.executeAsync(statement));
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
