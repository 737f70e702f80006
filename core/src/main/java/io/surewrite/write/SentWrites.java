package io.surewrite.write;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.cql.CqlText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the last attempt of a logical write sent, or would have sent: so that it can be sent later. An attempt may end before
 * it has sent all, so what counts against keeping it counts for good. Safe for use by many threads.
 */
@Internal
public final class SentWrites {

    private final WriteKeeper keeper;
    private final List<Sent> writes = new ArrayList<>(1);
    private int most;
    private @Nullable String refusal;
    private @Nullable RuntimeException heldBack;

    private record Sent(Statement<?> statement, @Nullable DriverContext session) {}

    public SentWrites(WriteKeeper keeper) {
        this.keeper = keeper;
    }

    public synchronized void attemptStarted() {
        writes.clear();
    }

    /** Lets no statement through from now on; each is noted and fails. */
    public synchronized void holdBack(RuntimeException failure) {
        heldBack = failure;
    }

    public synchronized @Nullable RuntimeException heldBack() {
        return heldBack;
    }

    synchronized void add(Statement<?> statement, @Nullable DriverContext session) {
        if (!CqlText.isRead(statement)) {
            note(statement, session);
            remember(statement, keeper.of(session));
        }
        failIfHeldBack();
    }

    /**
     * What to use instead of a statement that could not be prepared, for a write that is to be kept while the cluster is
     * away. The driver remembers what it prepared by weak references only: after a collection of garbage it would ask the
     * cluster again.
     */
    public static @Nullable PreparedStatement preparedBefore(
            @Nullable WriteScope scope, String cql, DriverContext session, Throwable failure) {
        SentWrites sent = scope == null ? null : scope.sent();
        return sent == null || WriteFailures.ofPlain(failure) == FailureKind.WRONG_STATEMENT
                ? null
                : sent.keeper.of(session).recall(cql);
    }

    synchronized void addConditional() {
        refuse("it sent a conditional statement");
        failIfHeldBack();
    }

    /** Says of the logical write that is under way, if it might be kept, why it must not be. */
    public static void refuseCurrent(String why) {
        WriteScope scope = WriteScope.current();
        SentWrites sent = scope == null ? null : scope.sent();
        if (sent != null) {
            sent.refuse(why);
        }
    }

    /** Says why this write must not be kept, whatever it sends. */
    public synchronized void refuse(String why) {
        refusal = why;
    }

    /** A statement that was noted by hand, and then by the session that it goes to, is one write. */
    private void note(Statement<?> statement, @Nullable DriverContext session) {
        for (int i = 0; i < writes.size(); i++) {
            Sent earlier = writes.get(i);
            boolean sameSession = earlier.session() == null || session == null || earlier.session() == session;
            if (sameSession && isSame(earlier.statement(), statement)) {
                writes.set(i, new Sent(statement, session == null ? earlier.session() : session));
                return;
            }
        }
        writes.add(new Sent(statement, session));
        most = Math.max(most, writes.size());
    }

    private static void remember(Statement<?> statement, WriteKeeper keeper) {
        if (statement instanceof BoundStatement bound) {
            keeper.remember(bound.getPreparedStatement());
        } else if (statement instanceof BatchStatement batch) {
            batch.forEach(part -> remember((Statement<?>) part, keeper));
        }
    }

    private void failIfHeldBack() {
        if (heldBack != null) {
            throw heldBack;
        }
    }

    /** Templates may apply a scope twice; and what says the same at the same time is the same write. */
    private static boolean isSame(Statement<?> one, Statement<?> other) {
        return one == other
                || (one instanceof BoundStatement bound
                        && other instanceof BoundStatement another
                        && bound.getPreparedStatement() == another.getPreparedStatement()
                        && bound.getValues().equals(another.getValues()));
    }

    public CompletableFuture<WriteReceipt> keep(String operation, long decided) {
        Sent only = only();
        return keeper.of(only.session()).keep(operation, decided, only.statement());
    }

    /** If there was more than one, or a conditional one, it is not known what else belongs to the operation. */
    private synchronized Sent only() {
        if (refusal != null) {
            throw new IllegalStateException("Not kept for later: " + refusal);
        }
        if (most != 1 || writes.size() != 1) {
            throw new IllegalStateException(
                    writes.isEmpty()
                            ? "Not kept for later: its attempt ended before it sent anything through a template"
                            : "Not kept for later: it sent %d statements, and nobody knows how many were to follow. Fix: send them as one batch"
                                    .formatted(most));
        }
        return writes.get(0);
    }
}
