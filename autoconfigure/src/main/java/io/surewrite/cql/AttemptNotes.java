package io.surewrite.cql;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.session.Request;
import io.surewrite.cql.analysis.StatementText;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is noted of the present attempt of a logical write: what became of each of its statements, what features remember,
 * and which clocks it has asked. Plays no part in whether two scopes are equal.
 *
 * <p>Safe for use by many threads. The first statement takes no lock and no object of its own, as most calls have no other.
 */
public final class AttemptNotes {

    private static final AtomicReferenceFieldUpdater<AttemptNotes, Object> FIRST =
            AtomicReferenceFieldUpdater.newUpdater(AttemptNotes.class, Object.class, "first");

    /** No answer is expected, as the statement is sent by hand. */
    private static final Object NO_ANSWER = new Object();

    /** An answer is expected. */
    private static final Object AWAITED = new Object();

    private static final Object ACKNOWLEDGED = new Object();

    /** Of statements without an answer: what became of further ones stays unknown. */
    private static final int MOST = 10_000;

    private static final int MAX_DEPTH = 12;

    private final @Nullable ClocksAsked clocks;
    private volatile @Nullable Strays strays;
    private @Nullable Map<Class<?>, Object> notes;

    private volatile @Nullable Object first;
    private volatile Object answerToFirst = NO_ANSWER;

    /** The statements after the first that are not acknowledged, and their answers. */
    private @Nullable IdentityHashMap<Object, Object> others;

    private int done;
    private int undecided;
    private volatile boolean abandoned;

    /** Those of the call that this one is a part of. */
    private volatile @Nullable AttemptNotes outer;

    AttemptNotes() {
        this(null);
    }

    private AttemptNotes(@Nullable ClocksAsked clocks) {
        this.clocks = clocks;
    }

    /**
     * Notes of a logical write that has asked no clock yet. Its first statement to each session asks that session's.
     *
     * @param source where its timestamp is from: asked for a statement whose session is not known
     * @return no notes
     */
    public static AttemptNotes askingClocks(WriteTimestamps source) {
        return new AttemptNotes(new ClocksAsked(source));
    }

    /** For the whole logical write, not for one attempt. Null if its clocks were asked, or are not to be. */
    @Nullable
    ClocksAsked clocks() {
        return clocks;
    }

    /**
     * What became of the statements of an attempt.
     *
     * @param done how many are in effect for certain
     * @param undecided how many others may be in effect, now or later
     */
    public record Tally(int done, int undecided) {

        /** {@return how many statements may be in effect} */
        public int inEffect() {
            return done + undecided;
        }
    }

    // ---- what features remember ----

    /**
     * The note of a feature.
     *
     * @param type its type, which is the feature's own
     * @param first makes it when this attempt has none
     * @param <N> its type
     * @return the note, the same for the whole attempt
     */
    public synchronized <N> N get(Class<N> type, Supplier<N> first) {
        if (notes == null) {
            notes = new HashMap<>();
        }
        return type.cast(notes.computeIfAbsent(type, absent -> first.get()));
    }

    /** What all attempts sent outside the scope. Made for the first thread that is made in it: most make none. */
    Strays strays() {
        Strays known = strays;
        return known == null ? firstStrays() : known;
    }

    private synchronized Strays firstStrays() {
        Strays known = strays;
        if (known == null) {
            known = new Strays();
            strays = known;
        }
        return known;
    }

    // ---- what becomes of statements ----

    /** What a call of its own does is done for the call around it too: as on a thread that the scope was carried to. */
    @SuppressWarnings("ReferenceEquality") // All notes are equal, so that scopes can be.
    void joins(AttemptNotes around) {
        if (around != this) {
            outer = around;
        }
    }

    /**
     * A write of a feature begins that sends its statements past the scope.
     *
     * @param write stands for it, by identity
     * @throws CancellationException if the caller has given up
     */
    public void begun(Object write) {
        sent(write, write);
    }

    /**
     * The write is in effect.
     *
     * @param write what {@link #begun} got
     */
    public void done(Object write) {
        answered(write, ACKNOWLEDGED);
    }

    /**
     * The write is not in effect and never will be.
     *
     * @param write what {@link #begun} got
     */
    public void withdrawn(Object write) {
        forget(write);
        AttemptNotes around = outer;
        if (around != null) {
            around.withdrawn(write);
        }
    }

    private synchronized void forget(Object write) {
        if (first == write) {
            first = null;
        } else if (others != null) {
            others.remove(write);
        }
    }

    /**
     * A statement is about to be sent. One to which the scope was applied before, as by hand and then by the session, is
     * the same one.
     *
     * @param before the statement before the scope was applied
     * @param statement the statement that is sent
     */
    void sent(Object before, Object statement) {
        if (abandoned) {
            throw new CancellationException("Not sent: the caller of this write has given up");
        }
        AttemptNotes around = outer;
        if (around != null) {
            around.sent(before, statement);
        }
        if (first == before) {
            first = statement;
        } else if (first != null || !FIRST.compareAndSet(this, null, statement)) {
            sentAfterFirst(before, statement);
        }
    }

    private synchronized void sentAfterFirst(Object before, Object statement) {
        if (others == null) {
            others = new IdentityHashMap<>();
        }
        Object known = others.remove(before);
        if (others.size() < MOST) {
            others.put(statement, known == null ? NO_ANSWER : known);
        } else {
            undecided++;
        }
    }

    public void acknowledged(Object statement) {
        answered(statement, ACKNOWLEDGED);
    }

    public void failed(Object statement, Throwable failure) {
        answered(statement, failure);
    }

    /** An answer to a statement is expected. */
    public void awaited(Object statement) {
        answered(statement, AWAITED);
    }

    /** An answer to a statement is expected, and looked at when the attempt ends. */
    public void awaited(Object statement, CompletionStage<?> answer) {
        if (first != statement && others != null) {
            var unused = answer.whenComplete((row, failure) -> {
                if (failure == null) {
                    acknowledged(statement); // and let go of
                }
            });
        }
        answered(statement, answer);
    }

    private void answered(Object statement, Object answer) {
        if (first == statement) {
            answerToFirst = answer;
        } else if (others != null) {
            answeredAfterFirst(statement, answer);
        }
        AttemptNotes around = outer;
        if (around != null) {
            around.answered(statement, answer);
        }
    }

    private synchronized void answeredAfterFirst(Object statement, Object answer) {
        if (others == null || !others.containsKey(statement)) {
            return; // of an earlier attempt, or acknowledged already
        }
        if (answer == ACKNOWLEDGED) {
            others.remove(statement);
            count(statement, answer, WriteFailures::ofPlain);
        } else {
            others.put(statement, answer);
        }
    }

    // ---- how an attempt ends ----

    /**
     * What became of the statements of the attempt that failed.
     *
     * @param failure how it failed
     * @param kinds tells what a failure says about the statement that met it
     * @return what must be reckoned with
     */
    public synchronized Tally tally(Throwable failure, Function<Throwable, FailureKind> kinds) {
        attribute(failure);
        Object one = first;
        if (one != null) {
            count(one, answerToFirst, kinds);
        }
        if (others != null) {
            others.forEach((statement, answer) -> count(statement, answer, kinds));
        }
        Tally tally = new Tally(done, undecided);
        forgetStatements();
        return tally;
    }

    /**
     * A statement without an answer was sent by hand: it met the failure of the attempt if that names it. One that names
     * none may be that of a statement that was never sent, such as one that could not be prepared.
     */
    private void attribute(Throwable failure) {
        Object met = requestOf(failure, 0);
        if (met == null) {
            return;
        }
        if (met == first && answerToFirst == NO_ANSWER) {
            answerToFirst = failure;
        } else if (others != null) {
            others.replace(met, NO_ANSWER, failure);
        }
    }

    private static @Nullable Request requestOf(@Nullable Throwable failure, int depth) {
        if (failure == null || depth > MAX_DEPTH) {
            return null;
        }
        ExecutionInfo execution = failure instanceof DriverException driver ? driver.getExecutionInfo() : null;
        return execution == null ? requestOf(failure.getCause(), depth + 1) : execution.getRequest();
    }

    private void count(Object statement, Object answer, Function<Throwable, FailureKind> kinds) {
        if (answer == ACKNOWLEDGED) {
            // A condition may not have held.
            if (statement instanceof Request request && StatementText.mayBeConditional(request)) {
                undecided++;
            } else {
                done++;
            }
        } else if (answer instanceof CompletionStage<?> stage) {
            count(statement, answerOf(stage.toCompletableFuture()), kinds);
        } else if (!(answer instanceof Throwable failure) || mayBeInEffect(kinds.apply(failure))) {
            undecided++;
        }
    }

    private static Object answerOf(CompletableFuture<?> stage) {
        if (!stage.isDone()) {
            return AWAITED;
        }
        Object failure = stage.handle((row, thrown) -> thrown).join();
        return failure == null ? ACKNOWLEDGED : failure;
    }

    private static boolean mayBeInEffect(FailureKind kind) {
        return kind != FailureKind.NOT_APPLIED && kind != FailureKind.WRONG_STATEMENT;
    }

    /** The caller has given up: the write sends no further statement. */
    public void abandon() {
        abandoned = true;
    }

    synchronized void clear() {
        notes = null;
        forgetStatements();
    }

    private void forgetStatements() {
        first = null;
        answerToFirst = NO_ANSWER;
        others = null;
        done = 0;
        undecided = 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AttemptNotes;
    }

    @Override
    public int hashCode() {
        return AttemptNotes.class.hashCode();
    }
}
