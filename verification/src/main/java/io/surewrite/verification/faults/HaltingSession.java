package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.analysis.CqlText;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Ends the process in the middle of what it writes: puts itself before the session of an application. */
final class HaltingSession implements BeanPostProcessor {

    /** How a process ends that was halted. */
    static final int HALTED = 137;

    private final Moment moment;
    private final AtomicInteger left;
    private volatile boolean isArmed;

    /** When the process ends, seen from a write. */
    enum Moment {
        /** The write is not sent. */
        BEFORE,
        /** The write is sent, and nobody waits for an answer. */
        SENT,
        /** The answer has come, and nobody has seen it. */
        ANSWERED
    }

    /**
     * @param write the number of the write, from 1
     */
    HaltingSession(Moment moment, int write) {
        this.moment = moment;
        this.left = new AtomicInteger(write);
    }

    /** Counts while it runs. */
    void during(Runnable work) {
        isArmed = true;
        work.run();
        isArmed = false;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof CqlSession session
                ? Proxy.newProxyInstance(
                        CqlSession.class.getClassLoader(),
                        new Class<?>[] {CqlSession.class},
                        (proxy, method, arguments) -> call(session, method, arguments))
                : bean;
    }

    private @Nullable Object call(CqlSession session, Method method, Object @Nullable [] arguments) throws Throwable {
        if (isArmed
                && method.getName().startsWith("execute")
                && arguments != null
                && arguments[0] instanceof Statement<?> statement
                && !CqlText.isRead(statement)
                && left.decrementAndGet() == 0) {
            CompletableFuture<?> never = halt(session, statement);
            return method.getName().equals("execute") ? never.join() : never;
        }
        try {
            return method.invoke(session, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    /** Nobody hears of what comes of it. */
    private CompletableFuture<?> halt(CqlSession session, Statement<?> statement) {
        switch (moment) {
            case BEFORE -> Runtime.getRuntime().halt(HALTED);
            case SENT -> {
                var unused = session.executeAsync(statement);
                // From another thread: this one may be the one that sends.
                new Thread(() -> Runtime.getRuntime().halt(HALTED)).start();
            }
            case ANSWERED -> {
                var unused = session.executeAsync(statement)
                        .whenComplete((answer, failure) -> Runtime.getRuntime().halt(HALTED));
            }
        }
        return new CompletableFuture<>();
    }
}
