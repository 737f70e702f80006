package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.ConditionalWrites;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An overwrite that was checked, for a guard that decides when, how often and with which timestamps it is sent. Every send
 * is at the level of {@link ConditionalWrites#PROFILE}.
 */
public final class GuardedOverwrite {

    private final CqlSession session;
    private final OverwritePlanner planner;
    private final OverwriteListener listener;
    private final AtomicBoolean heard = new AtomicBoolean();
    private volatile OverwritePlan plan;

    GuardedOverwrite(CqlSession session, OverwritePlanner planner, OverwriteListener listener, OverwritePlan plan) {
        this.session = session;
        this.planner = planner;
        this.listener = listener;
        this.plan = plan;
    }

    /**
     * Sends it. Never blocks.
     *
     * @param timestamp in microseconds; the row is deleted at one tick before it
     * @return completes when it was acknowledged
     */
    public CompletionStage<Void> write(long timestamp) {
        return prepared(planner.again(plan, timestamp))
                .thenCompose(known -> execute(planner.statement(known))
                        .thenApply(sent -> known)
                        .exceptionallyCompose(failure -> OverwritePlanner.mayHaveChanged(known, failure)
                                ? sendAgain(known)
                                : CompletableFuture.failedFuture(failure)))
                .thenAccept(this::acknowledged);
    }

    private CompletionStage<OverwritePlan> sendAgain(OverwritePlan forgotten) {
        return planner.afterSchemaChange(forgotten)
                .thenCompose(this::prepared)
                .thenCompose(known ->
                        execute(planner.statementAfterSchemaChange(known)).thenApply(sent -> known));
    }

    private CompletionStage<OverwritePlan> prepared(OverwritePlan wanted) {
        if (wanted.isReady()) {
            return CompletableFuture.completedFuture(wanted);
        }
        return planner.current(wanted)
                .thenCompose(current -> CompletableFuture.allOf(
                                current.unprepared().stream().map(this::prepare).toArray(CompletableFuture<?>[]::new))
                        .thenCompose(done -> planner.confirmed(current)))
                .thenCompose(this::prepared);
    }

    private CompletableFuture<Void> prepare(Shape shape) {
        return session.prepareAsync(shape.cql()).thenAccept(shape::prepared).toCompletableFuture();
    }

    private CompletionStage<AsyncResultSet> execute(Statement<?> statement) {
        return session.executeAsync(statement
                .setConsistencyLevel(null)
                .setExecutionProfileName(ConditionalWrites.PROFILE)
                .setIdempotent(true));
    }

    private void acknowledged(OverwritePlan sent) {
        plan = sent;
        if (heard.compareAndSet(false, true)) {
            listener.overwritten(sent.target().qualifiedName(), sent.kind(), sent.bytes());
        }
    }
}
