package io.surewrite.overwrite.engine;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.ConditionalWrites;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An overwrite that was checked, for a guard that decides when, how often and with which timestamps it is sent. Every send
 * is at the level of {@link ConditionalWrites#PROFILE}.
 */
public final class GuardedOverwrite {

    private final Overwrites overwrites;
    private final Overwrites.Wire wire;
    private final AtomicBoolean heard = new AtomicBoolean();
    private volatile OverwritePlan plan;

    GuardedOverwrite(CqlSession session, Overwrites overwrites, OverwritePlan plan) {
        this.overwrites = overwrites;
        this.wire = new SessionWire(session);
        this.plan = plan;
    }

    /**
     * Sends it. Never blocks.
     *
     * @param timestamp in microseconds; the row is deleted at one tick before it
     * @return completes when it was acknowledged
     */
    public CompletionStage<Void> write(long timestamp) {
        return overwrites
                .write(wire, overwrites.planner().again(plan, timestamp))
                .thenAccept(sent -> {
                    plan = sent;
                    if (heard.compareAndSet(false, true)) {
                        overwrites.heard(sent);
                    }
                });
    }

    private record SessionWire(CqlSession session) implements Overwrites.Wire {

        @Override
        public CompletionStage<PreparedStatement> prepare(String cql) {
            return session.prepareAsync(cql);
        }

        @Override
        public CompletionStage<@Nullable Row> execute(OverwritePlan plan, Statement<?> statement) {
            return session.executeAsync(statement
                            .setConsistencyLevel(null)
                            .setExecutionProfileName(ConditionalWrites.PROFILE)
                            .setIdempotent(true))
                    .thenApply(rows -> rows.one());
        }
    }
}
