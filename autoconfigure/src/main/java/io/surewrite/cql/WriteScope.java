package io.surewrite.cql;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.SessionFactory;

/**
 * One logical write: what all statements sent on its behalf have in common, however often they are sent.
 *
 * <p>A scope belongs to the thread that opened it, or to a reactive subscription ({@link ReactiveWriteScope}). The
 * templates of this package apply it to their statements; statements given to a session by hand need {@link #apply}.
 * Statements that choose their own timestamp, idempotence or consistency keep it, and so do conditional ones, which a
 * scope leaves alone altogether.
 *
 * @param timestamp the write timestamp in microseconds; {@code timestamp - 1} is reserved with it
 * @param idempotent whether statements may be marked idempotent, so that the driver may send them more than once
 * @param retried whether the whole operation is repeated after a failure, so that parts of it need no retry
 * @param consistency the consistency level, or null for the default one
 * @param sent notes what is sent, or null if nobody wants to know
 * @param notes what features remember of the present attempt
 */
public record WriteScope(
        long timestamp,
        boolean idempotent,
        boolean retried,
        @Nullable ConsistencyLevel consistency,
        @Nullable SentWrites sent,
        AttemptNotes notes) {

    private static final ThreadLocal<@Nullable WriteScope> CURRENT = new ThreadLocal<>();

    private static final Opened LEAVE = () -> CURRENT.set(null);

    /**
     * A scope at its first attempt.
     *
     * @param timestamp the write timestamp in microseconds; {@code timestamp - 1} is reserved with it
     * @param idempotent whether statements may be marked idempotent, so that the driver may send them more than once
     * @param retried whether the whole operation is repeated after a failure, so that parts of it need no retry
     * @param consistency the consistency level, or null for the default one
     * @param sent notes what is sent, or null if nobody wants to know
     */
    public WriteScope(
            long timestamp,
            boolean idempotent,
            boolean retried,
            @Nullable ConsistencyLevel consistency,
            @Nullable SentWrites sent) {
        this(timestamp, idempotent, retried, consistency, sent, new AttemptNotes());
    }

    /**
     * A scope that does not note what is sent.
     *
     * @param timestamp the write timestamp in microseconds; {@code timestamp - 1} is reserved with it
     * @param idempotent whether statements may be marked idempotent, so that the driver may send them more than once
     * @param retried whether the whole operation is repeated after a failure, so that parts of it need no retry
     * @param consistency the consistency level, or null for the default one
     */
    public WriteScope(long timestamp, boolean idempotent, boolean retried, @Nullable ConsistencyLevel consistency) {
        this(timestamp, idempotent, retried, consistency, null);
    }

    /**
     * A scope with a pinned timestamp and nothing else.
     *
     * @param timestamp the write timestamp in microseconds
     * @return the scope
     */
    public static WriteScope at(long timestamp) {
        return new WriteScope(timestamp, false, false, null);
    }

    /**
     * The scope that this thread is in.
     *
     * @return the scope, or null if there is none
     */
    public static @Nullable WriteScope current() {
        return CURRENT.get();
    }

    /**
     * Applies the scope that this thread is in.
     *
     * @param statement a statement about to be executed, not one about to be prepared: the driver would prepare it anew
     *     for every timestamp
     * @param <S> the kind of statement
     * @return the statement with the scope's settings, or as it was if there is no scope
     */
    public static <S extends Statement<?>> S apply(S statement) {
        WriteScope scope = current();
        return scope == null ? statement : scope.applyTo(statement);
    }

    /**
     * Applies the scope that this thread is in, for a template.
     *
     * @param sessions gives the session that the statement goes to; asked only if somebody wants to know
     */
    static <S extends Statement<?>> S apply(S statement, @Nullable SessionFactory sessions) {
        WriteScope scope = current();
        return scope == null ? statement : scope.applyTo(statement, sessions);
    }

    <S extends Statement<?>> S applyTo(S statement, @Nullable SessionFactory sessions) {
        return applyTo(
                statement,
                sent == null || sessions == null ? null : sessions.getSession().getContext());
    }

    /**
     * Applies this scope.
     *
     * @param statement a statement about to be executed
     * @param <S> the kind of statement
     * @return the statement with the scope's settings
     */
    public <S extends Statement<?>> S applyTo(S statement) {
        return applyTo(statement, (DriverContext) null);
    }

    /**
     * Applies this scope.
     *
     * @param statement a statement about to be executed
     * @param session the context of the session it goes to, or null if that is not known
     * @param <S> the kind of statement
     * @return the statement with the scope's settings
     */
    @SuppressWarnings("unchecked") // every statement of the driver answers its own type
    public <S extends Statement<?>> S applyTo(S statement, @Nullable DriverContext session) {
        if (StatementText.mayBeConditional(statement)) {
            if (sent != null) {
                sent.addConditional();
            }
            return statement;
        }
        Statement<?> scoped = statement;
        if (scoped.getQueryTimestamp() == Statement.NO_DEFAULT_TIMESTAMP) {
            scoped = scoped.setQueryTimestamp(timestamp);
        }
        if (idempotent && scoped.isIdempotent() == null) {
            scoped = scoped.setIdempotent(true);
        }
        if (consistency != null && scoped.getConsistencyLevel() == null) {
            scoped = scoped.setConsistencyLevel(consistency);
        }
        if (sent != null) {
            sent.add(scoped, session);
        }
        return (S) scoped;
    }

    /**
     * Enters the scope on this thread.
     *
     * @return to be closed by the same thread, which restores the scope before
     */
    public Opened open() {
        WriteScope outer = CURRENT.get();
        CURRENT.set(within(outer));
        return outer == null ? LEAVE : () -> CURRENT.set(outer);
    }

    /**
     * Enters the scope on this thread in the place of the one around it: for a step of a protocol that has decided its
     * own timestamp.
     *
     * @return to be closed by the same thread, which restores the scope before
     */
    public Opened openInstead() {
        WriteScope outer = CURRENT.get();
        CURRENT.set(this);
        return outer == null ? LEAVE : () -> CURRENT.set(outer);
    }

    /**
     * Runs an action in the scope.
     *
     * @param action what to run
     * @param <T> what it answers
     * @return what the action answered
     */
    public <T extends @Nullable Object> T call(Supplier<T> action) {
        Opened opened = open();
        try {
            return action.get();
        } finally {
            opened.close();
        }
    }

    /** Runs an action as if there were no scope, for statements that are prepared and not executed. */
    static <T> T suspend(Supplier<T> action) {
        WriteScope outer = CURRENT.get();
        if (outer == null) {
            return action.get();
        }
        CURRENT.set(null);
        try {
            return action.get();
        } finally {
            CURRENT.set(outer);
        }
    }

    /**
     * This scope inside another one, which decides the timestamp: it is one logical write.
     *
     * @param outer the scope around this one, or null
     * @return the scope in effect
     */
    WriteScope within(@Nullable WriteScope outer) {
        if (outer == null) {
            return this;
        }
        return new WriteScope(
                outer.timestamp,
                idempotent,
                retried || outer.retried,
                consistency == null ? outer.consistency : consistency,
                sent == null ? outer.sent : sent,
                outer.notes);
    }

    /** Another attempt begins: what the one before sent, and what features noted of it, counts no more. */
    public void attemptStarted() {
        notes.clear();
        if (sent != null) {
            sent.attemptStarted();
        }
    }

    /** A scope entered on a thread. */
    @FunctionalInterface
    public interface Opened extends AutoCloseable {

        /** Leaves nothing. */
        Opened NOTHING = () -> {};

        /** Leaves the scope. */
        @Override
        void close();
    }
}
