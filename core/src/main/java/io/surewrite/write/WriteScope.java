package io.surewrite.write;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.cql.CqlText;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One logical write: what all statements sent on its behalf have in common, however often they are sent.
 *
 * <p>A scope belongs to the thread that opened it, or to a reactive subscription ({@link ReactiveWriteScope}). The
 * sessions of the templates apply it to their statements; statements given to another session by hand need {@link #apply}.
 * Statements that choose their own timestamp, idempotence or consistency keep it. Conditional ones get nothing but the
 * level, at which they are committed.
 *
 * @param timestamp the write timestamp in microseconds; {@code timestamp - 1} is reserved with it
 * @param idempotent whether statements may be marked idempotent, so that the driver may send them more than once
 * @param retried whether the whole operation is repeated after a failure, so that parts of it need no retry
 * @param level the level of statements that a session executes by hand, and a sign for the templates to set that of their
 *     own session; null to leave all levels alone
 * @param sent notes what is sent, or null if that is not noted
 * @param notes what features remember of the present attempt
 * @param statements what became of the statements of the present attempt of the call that is retried
 */
public record WriteScope(
        long timestamp,
        boolean idempotent,
        boolean retried,
        @Nullable Level level,
        @Nullable SentWrites sent,
        AttemptNotes notes,
        AttemptNotes statements) {

    /** The scope of a thread, or the {@link AttemptNotes.Strays} of the scope that the thread was made in. */
    private static final ThreadLocal<@Nullable Object> CURRENT = new InheritableThreadLocal<>() {
        @Override
        protected @Nullable Object childValue(@Nullable Object parents) {
            return parents instanceof WriteScope scope ? scope.notes.strays() : parents;
        }
    };

    private static final Opened LEAVE = () -> CURRENT.set(null);

    /** A scope at its first attempt. */
    public WriteScope(
            long timestamp, boolean idempotent, boolean retried, @Nullable Level level, @Nullable SentWrites sent) {
        this(timestamp, idempotent, retried, level, sent, new AttemptNotes());
    }

    private WriteScope(
            long timestamp,
            boolean idempotent,
            boolean retried,
            @Nullable Level level,
            @Nullable SentWrites sent,
            AttemptNotes own) {
        this(timestamp, idempotent, retried, level, sent, own, own);
    }

    /** {@return a scope with a pinned timestamp and nothing else} */
    public static WriteScope at(long timestamp) {
        return new WriteScope(timestamp, false, false, null, null);
    }

    /** {@return the scope that this thread is in, or null if there is none} */
    public static @Nullable WriteScope current() {
        return CURRENT.get() instanceof WriteScope scope ? scope : null;
    }

    /** {@return when the scope was made that decided the timestamp, as {@link System#nanoTime()} had it} */
    public long openedAt() {
        return notes.madeAt();
    }

    /**
     * {@return a statement with the settings of the scope that this thread is in, or as it was if there is none}
     *
     * @param statement about to be executed, not to be prepared: the driver would prepare it anew for every timestamp
     */
    public static <S extends Statement<?>> S apply(S statement) {
        WriteScope scope = currentFor(statement);
        return scope == null ? statement : scope.applyTo(statement);
    }

    /** The scope of this thread. If there is none although there should be one, that is noted. */
    public static @Nullable WriteScope currentFor(Statement<?> statement) {
        Object here = CURRENT.get();
        if (here instanceof AttemptNotes.Strays strays) {
            strays.seenHere(statement);
        }
        return here instanceof WriteScope scope ? scope : null;
    }

    /** {@return a statement about to be executed with this scope's settings} */
    public <S extends Statement<?>> S applyTo(S statement) {
        return applyTo(statement, null);
    }

    /** Like {@link #applyTo(Statement)}, with the level of the session that will execute it; null if that is not known. */
    @SuppressWarnings("unchecked") // every statement of the driver returns its own type
    public <S extends Statement<?>> S applyTo(S statement, @Nullable DriverContext session) {
        ConsistencyLevel chosen = level == null ? null : level.of(statement, session);
        Statement<?> scoped = chosen == null ? statement : statement.setConsistencyLevel(chosen);
        if (CqlText.mayBeConditional(statement)) {
            if (sent != null) {
                sent.addConditional();
            }
            statements.sent(statement, scoped);
            return (S) scoped;
        }
        if (statement.getQueryTimestamp() == Statement.NO_DEFAULT_TIMESTAMP) {
            notes.requireClock(statement, session);
            if (!CqlText.isRead(statement)) {
                TransactionalTableException.check(session, statement);
            }
            scoped = scoped.setQueryTimestamp(timestamp);
        }
        if (idempotent && statement.isIdempotent() == null) {
            scoped = scoped.setIdempotent(true);
        }
        if (sent != null) {
            sent.add(scoped, session);
        }
        if (!CqlText.isRead(scoped)) {
            statements.sent(statement, scoped);
        }
        return (S) scoped;
    }

    /** Enters the scope on this thread, which must close it; that restores the scope before. */
    public Opened open() {
        Object outer = CURRENT.get();
        if (retried && outer instanceof AttemptNotes.Strays strays && strays != notes.strays()) {
            strays.seenHere(); // a retried call of its own, on a thread that was made in the scope of another one
        }
        CURRENT.set(within(outer instanceof WriteScope scope ? scope : null));
        return outer == null ? LEAVE : () -> CURRENT.set(outer);
    }

    /**
     * Like {@link #open}, in the place of the scope around it: where another thread goes on with what this scope has begun.
     */
    public Opened openInstead() {
        Object outer = CURRENT.get();
        CURRENT.set(this);
        return outer == null ? LEAVE : () -> CURRENT.set(outer);
    }

    /** Runs an action in the scope. */
    public <T extends @Nullable Object> T call(Supplier<T> action) {
        Opened opened = open();
        try {
            return action.get();
        } finally {
            opened.close();
        }
    }

    /** This scope inside another one, which decides the timestamp: it is one logical write. */
    WriteScope within(@Nullable WriteScope outer) {
        if (outer == null) {
            return this;
        }
        boolean ownCall = retried && !outer.retried;
        if (ownCall) {
            statements.joins(outer.statements);
        }
        return new WriteScope(
                outer.timestamp,
                idempotent,
                retried || outer.retried,
                level == null ? outer.level : level,
                sent == null ? outer.sent : sent,
                outer.notes,
                ownCall ? statements : outer.statements);
    }

    /** Enters a scope on a thread that it was carried to, where retried calls repeat themselves. */
    public static void enterElsewhere(WriteScope scope) {
        CURRENT.set(
                scope.retried
                        ? new WriteScope(
                                scope.timestamp,
                                scope.idempotent,
                                false,
                                scope.level,
                                scope.sent,
                                scope.notes,
                                scope.statements)
                        : scope);
    }

    /** Restores the scope that this thread was in before another one was carried to it, or none. */
    public static void restore(@Nullable WriteScope before) {
        CURRENT.set(before);
    }

    /**
     * {@return where writes were sent outside the scope, as a part of a sentence; null if none are known} Another attempt would
     * not repeat them with this scope's timestamp.
     */
    public @Nullable String writtenOutside(Throwable failure) {
        return notes.strays().after(failure);
    }

    /** Another attempt begins: what the one before sent, and what features noted of it, counts no more. */
    public void attemptStarted() {
        notes.clear();
        statements.clear();
        if (sent != null) {
            sent.attemptStarted();
        }
    }

    /** Chooses the consistency level of statements for which the application has chosen none. */
    @FunctionalInterface
    public interface Level {

        /**
         * {@return the level that a statement is to get, or null if the application has chosen one}
         *
         * @param session the context of the session that executes it, or null for the one that this level is of
         */
        @Nullable
        ConsistencyLevel of(Statement<?> statement, @Nullable DriverContext session);
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
