package io.surewrite.cql;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the last attempt of a logical write sent, or would have sent: so that it can be sent later. Safe for use by many
 * threads, as the statements of one attempt may be sent by several.
 */
public final class SentWrites {

    private final WriteKeeper keeper;
    private final List<Statement<?>> writes = new ArrayList<>(1);
    private @Nullable String refusal;
    private @Nullable RuntimeException heldBack;

    /**
     * Creates it.
     *
     * @param keeper would get them
     */
    public SentWrites(WriteKeeper keeper) {
        this.keeper = keeper;
    }

    /** Another attempt begins: what the one before sent counts no more. */
    public synchronized void attemptStarted() {
        writes.clear();
        refusal = null;
    }

    /**
     * Lets no statement through from now on; each is noted and fails.
     *
     * @param failure how it fails
     */
    public synchronized void holdBack(RuntimeException failure) {
        heldBack = failure;
    }

    /**
     * How statements fail.
     *
     * @return what {@link #holdBack} was told, or null if they are let through
     */
    public synchronized @Nullable RuntimeException heldBack() {
        return heldBack;
    }

    synchronized void add(Statement<?> statement) {
        if (!StatementText.isRead(statement) && !isNoted(statement)) {
            writes.add(statement);
            remember(statement);
        }
        failIfHeldBack();
    }

    /** A statement of this text that was sent before, or null. */
    @Nullable
    PreparedStatement recall(String cql) {
        return keeper.recall(cql);
    }

    synchronized void addConditional() {
        refuse("it sent a conditional statement");
        failIfHeldBack();
    }

    /**
     * Says that this attempt must not be kept, whatever it sends.
     *
     * @param why the reason, as the rest of a sentence
     */
    public synchronized void refuse(String why) {
        refusal = why;
    }

    private boolean isNoted(Statement<?> statement) {
        for (Statement<?> earlier : writes) {
            if (isSame(earlier, statement)) {
                return true;
            }
        }
        return false;
    }

    private void remember(Statement<?> statement) {
        if (statement instanceof BoundStatement bound) {
            keeper.remember(bound.getPreparedStatement());
        } else if (statement instanceof BatchStatement batch) {
            batch.forEach(this::remember);
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

    /**
     * The one write that was sent.
     *
     * @return the statement or batch, with the scope's settings
     * @throws IllegalStateException if there was none or more than one, or a conditional one, for then nobody knows what
     *     else belongs to the operation; or if it was refused
     */
    public synchronized Statement<?> onlyWrite() {
        if (refusal != null) {
            throw new IllegalStateException("Not kept for later: " + refusal);
        }
        if (writes.size() != 1) {
            throw new IllegalStateException(
                    writes.isEmpty()
                            ? "Not kept for later: its attempt ended before it sent anything through a template of ours"
                            : "Not kept for later: it sent %d statements, and nobody knows how many were to follow: send them as one batch"
                                    .formatted(writes.size()));
        }
        return writes.get(0);
    }
}
