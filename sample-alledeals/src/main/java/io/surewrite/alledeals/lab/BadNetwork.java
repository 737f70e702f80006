package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import com.datastax.oss.driver.internal.core.cql.ResultSets;
import com.datastax.oss.driver.internal.core.util.concurrent.CompletableFutures;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.session.SessionDecorator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
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
 * A network that loses what it is told to lose: requests and answers of conditional updates of one item, and what an experiment
 * plans for the rows that it watches. To the sender all losses look the same, as they do in real life: a timeout.
 */
@Component
public class BadNetwork {

    private static final CqlText.Name STOCK = new CqlText.Name(null, CqlIdentifier.fromInternal("cass_master_item"));
    private static final long LATE_MILLIS = 300;

    private final Map<UUID, Queue<Loss>> losses = new ConcurrentHashMap<>();
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();

    /** What is lost. */
    public enum Loss {
        /** The request: nothing happens on the server. */
        REQUEST("the request"),
        /** The answer: the update took place, or was rejected, and nobody hears of it. */
        ANSWER("the answer"),
        /** The patience of the sender: the request arrives after everybody gave up. */
        TIME("patience, the request comes late");

        private final String lost;

        Loss(String lost) {
            this.lost = lost;
        }

        String lost() {
            return lost;
        }
    }

    /** Loses some of what is said about an item. */
    public Queue<Loss> lose(UUID itemId, List<Loss> inARow) {
        Queue<Loss> ahead = losses.computeIfAbsent(itemId, id -> new ConcurrentLinkedQueue<>());
        ahead.addAll(inARow);
        return ahead;
    }

    /** Forgets the losses of an item that have not happened yet. */
    public void heal(UUID itemId) {
        losses.remove(itemId);
    }

    /** From now on, a run sends what is about its rows. */
    void watch(Run run) {
        runs.add(run);
    }

    void leave(Run run) {
        runs.remove(run);
    }

    /** A session behind this network. */
    CqlSession before(CqlSession session) {
        return new LossySession(session);
    }

    private final class LossySession extends SessionDecorator {

        LossySession(CqlSession session) {
            super(session);
        }

        @Override
        @SuppressWarnings("unchecked") // R is what the type says
        public <Q extends Request, R extends @Nullable Object> R execute(Q request, GenericType<R> resultType) {
            boolean isSync = resultType.equals(Statement.SYNC);
            if (request instanceof Statement<?> statement && (isSync || resultType.equals(Statement.ASYNC))) {
                CompletionStage<AsyncResultSet> answer = send(statement);
                if (answer != null) {
                    return isSync
                            ? (R) ResultSets.newInstance(CompletableFutures.getUninterruptibly(answer))
                            : (R) answer;
                }
            }
            return super.execute(request, resultType);
        }

        /** Null if nothing is to happen to the statement, and no run wants to see it. */
        private @Nullable CompletionStage<AsyncResultSet> send(Statement<?> statement) {
            Loss loss = losses.isEmpty() ? null : next(statement);
            if (loss != null) {
                return lose(loss, () -> forward(statement));
            }
            if (runs.isEmpty()) {
                return null;
            }
            Sent sent = Sent.of(statement);
            for (Run run : runs) {
                if (run.isAbout(sent)) {
                    return run.send(sent, getContext().getTimestampGenerator(), this::forward);
                }
            }
            return null;
        }

        private CompletionStage<AsyncResultSet> forward(Statement<?> statement) {
            return super.execute(statement, Statement.ASYNC);
        }
    }

    private static CompletionStage<AsyncResultSet> lose(Loss loss, Supplier<CompletionStage<AsyncResultSet>> sent) {
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

    private @Nullable Loss next(Statement<?> statement) {
        CqlText text = CqlText.of(statement);
        if (!(statement instanceof BoundStatement bound)
                || !text.verb().equals("update")
                || !text.tables(null).contains(STOCK)) {
            return null;
        }
        Queue<Loss> planned = losses.get(bound.getUuid("item_id"));
        return planned == null ? null : planned.poll();
    }

    private static CompletionStage<AsyncResultSet> timeout() {
        return CompletableFuture.failedStage(new DriverTimeoutException("Lost on purpose, in the Lab"));
    }
}
