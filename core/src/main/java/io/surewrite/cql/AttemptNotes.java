package io.surewrite.cql;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.session.Request;
import io.surewrite.cql.analysis.StatementText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /**
     * What is known of writes that a call sent outside its scope. The first attempt does no harm with them. A second one would
     * send them with a newer timestamp, and override what others wrote in between.
     *
     * <p>Threads that are made in a scope inherit this, and not the scope: a thread of a pool lives longer than the call that
     * it was made in, and works for others too. So such a thread proves little, but enough to refrain from another attempt.
     */
    static final class Strays {

        private volatile @Nullable String thread;

        /** A write, or another call, began on this thread, which was made in the scope and is not in it. */
        void seenHere() {
            thread = Thread.currentThread().getName();
        }

        /** Like {@link #seenHere()}, unless the statement means the same at any time. */
        void seenHere(Statement<?> statement) {
            if (thread == null && StatementText.drawsTimestamp(statement)) {
                seenHere();
            }
        }

        /** Why an attempt after this failure would not repeat what the call did, or null if nothing is known against it. */
        @Nullable
        String after(Throwable failure) {
            String seen = thread;
            if (seen != null) {
                return "the thread '%s', which it has made, wrote outside its scope".formatted(seen);
            }
            return failedOutside(failure, Collections.newSetFromMap(new IdentityHashMap<>()))
                    ? "the statement that failed was sent outside its scope"
                    : null;
        }

        /** Whether a statement that failed had no timestamp, so that the driver stamped it. */
        private static boolean failedOutside(@Nullable Throwable failure, Set<Throwable> looked) {
            if (failure == null || !looked.add(failure)) {
                return false;
            }
            if (failure instanceof DriverException ofDriver) {
                ExecutionInfo execution = ofDriver.getExecutionInfo();
                if (execution != null
                        && execution.getRequest() instanceof Statement<?> statement
                        && StatementText.drawsTimestamp(statement)) {
                    return true;
                }
            }
            for (Throwable suppressed : failure.getSuppressed()) {
                if (failedOutside(suppressed, looked)) {
                    return true;
                }
            }
            return failedOutside(failure.getCause(), looked);
        }
    }

    /**
     * The sessions whose clocks a logical write has asked: each of those that it writes to, before its first statement there.
     * What has begun goes on, whatever becomes of the clocks.
     */
    static final class ClocksAsked {

        private static final AtomicReferenceFieldUpdater<ClocksAsked, WriteTimestamps> FIRST =
                AtomicReferenceFieldUpdater.newUpdater(ClocksAsked.class, WriteTimestamps.class, "first");

        private final WriteTimestamps source;

        /** Most write to one session only. */
        private volatile @Nullable WriteTimestamps first;

        private @Nullable List<WriteTimestamps> others;

        ClocksAsked(WriteTimestamps source) {
            this.source = source;
        }

        /**
         * Asks before a statement that is to carry the timestamp of the logical write.
         *
         * @param session where it goes, or null if that is not known
         * @throws ClockOffsetException if it is a write, the first one to that session, and the clock is known to be wrong
         */
        void require(Statement<?> statement, @Nullable DriverContext session) {
            WriteTimestamps timestamps = session == null ? source : WriteTimestamps.of(session);
            if (timestamps == first) {
                return;
            }
            boolean right = timestamps.problem() == null;
            if (right || StatementText.drawsTimestamp(statement)) {
                require(timestamps);
            }
        }

        void require(WriteTimestamps timestamps) {
            WriteTimestamps known = first;
            if (timestamps == known || (known != null && isOther(timestamps))) {
                return;
            }
            timestamps.requireClock();
            if (!FIRST.compareAndSet(this, null, timestamps)) {
                addOther(timestamps);
            }
        }

        private synchronized boolean isOther(WriteTimestamps timestamps) {
            return others != null && others.contains(timestamps);
        }

        private synchronized void addOther(WriteTimestamps timestamps) {
            if (others == null) {
                others = new ArrayList<>();
            }
            others.add(timestamps);
        }
    }
}
