package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * A network that loses what it is told to lose: requests and answers of conditional updates of one item. To the sender
 * all losses look the same, as they do in real life: a timeout.
 */
@Component
public class BadNetwork {

    private static final String STOCK_UPDATE = "UPDATE cass_master_item";
    private static final long LATE_MILLIS = 300;

    private final Map<UUID, Queue<Loss>> losses = new ConcurrentHashMap<>();

    /** What is lost. */
    public enum Loss {
        /** The request: nothing happens on the server. */
        REQUEST,
        /** The answer: the update took place, or was rejected, and nobody hears of it. */
        ANSWER,
        /** The patience of the sender: the request arrives after everybody gave up. */
        TIME
    }

    /**
     * Loses some of what is said about an item.
     *
     * @param itemId the item
     * @param inARow what happens to the next updates of its stock, one after the other
     */
    public void lose(UUID itemId, List<Loss> inARow) {
        losses.computeIfAbsent(itemId, id -> new ConcurrentLinkedQueue<>()).addAll(inARow);
    }

    /**
     * Forgets the losses of an item that have not happened yet.
     *
     * @param itemId the item
     */
    public void heal(UUID itemId) {
        losses.remove(itemId);
    }

    /** A session behind this network. */
    CqlSession before(CqlSession session) {
        return (CqlSession) Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(),
                new Class<?>[] {CqlSession.class},
                (proxy, method, arguments) -> send(session, method, arguments));
    }

    private @Nullable Object send(CqlSession session, Method method, Object @Nullable [] arguments) throws Throwable {
        Loss loss = method.getName().equals("executeAsync") && arguments != null ? next(arguments[0]) : null;
        if (loss == null || arguments == null) {
            return call(session, method, arguments);
        }
        BoundStatement update = (BoundStatement) arguments[0];
        Supplier<CompletionStage<AsyncResultSet>> sent = () -> session.executeAsync(update);
        return switch (loss) {
            case REQUEST -> timeout();
            case ANSWER -> sent.get().thenCompose(answer -> timeout());
            case TIME -> {
                var unused = CompletableFuture.supplyAsync(
                        sent, CompletableFuture.delayedExecutor(LATE_MILLIS, TimeUnit.MILLISECONDS));
                yield timeout();
            }
        };
    }

    private @Nullable Loss next(Object statement) {
        if (losses.isEmpty()
                || !(statement instanceof BoundStatement bound)
                || !bound.getPreparedStatement().getQuery().startsWith(STOCK_UPDATE)) {
            return null;
        }
        Queue<Loss> planned = losses.get(bound.getUuid("item_id"));
        return planned == null ? null : planned.poll();
    }

    private static CompletionStage<AsyncResultSet> timeout() {
        return CompletableFuture.failedStage(new DriverTimeoutException("Lost on purpose, in the Lab"));
    }

    private static @Nullable Object call(CqlSession session, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(session, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
