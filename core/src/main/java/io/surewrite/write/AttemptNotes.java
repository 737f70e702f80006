package io.surewrite.write;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.session.Request;
import io.surewrite.internal.cql.CqlText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is noted of the present attempt of a logical write: what became of each of its statements, what features remember,
 * and which clocks it has asked. Plays no part in whether two scopes are equal.
 *
 * <p>Safe for use by many threads. The first statement takes no object of its own, as most calls have no other.
 */
@Internal
public final class AttemptNotes {

    /** No answer is expected, as the statement is sent by hand. */
    private static final Object NO_ANSWER = new Object();

    /** An answer is expected. */
    private static final Object AWAITED = new Object();

    private static final Object ACKNOWLEDGED = new Object();

    /** Of statements without an answer: what became of further ones stays unknown. */
    private static final int MOST = 10_000;

    private static final int MAX_DEPTH = 12;

    private final long madeAt = System.nanoTime();

    /** Null if no clock is to be asked. */
    private final @Nullable WriteTimestamps source;

    /** Those of the first session that was written to: most calls write to no other. */
    private volatile @Nullable WriteTimestamps asked;

    private List<WriteTimestamps> askedLater = List.of();
    private @Nullable Strays strays;
    private @Nullable Map<Class<?>, Object> notes;

    private @Nullable Object first;
    private Object answerToFirst = NO_ANSWER;

    /** The statements after the first that are not acknowledged, and their answers. */
    private @Nullable IdentityHashMap<Object, Object> others;

    private int done;
    private int undecided;
    private volatile boolean abandoned;

    /** Those of the call that this one is a part of. */
    private @Nullable AttemptNotes outer;

    /** How long the call may begin to send. */
    private final Duration patience;

    /** Of each row, in the order in which an attempt writes it; and how often the present one has done so. */
    private @Nullable Map<Object, List<UUID>> writeIds;

    private @Nullable Map<Object, Integer> rowsWritten;

    /** Whether a statement of an attempt that failed may be in effect. */
    private boolean leftSomething;

    AttemptNotes() {
        this(null, Duration.ZERO);
    }

    private AttemptNotes(@Nullable WriteTimestamps source, Duration patience) {
        this.source = source;
        this.patience = patience;
    }

    /** {@return when the first attempt began, as {@link System#nanoTime()} had it} */
    long madeAt() {
        return madeAt;
    }

    /**
     * Notes of a logical write that has asked no clock yet. Its first statement to each session asks that session's. What has
     * begun goes on, whatever becomes of the clocks.
     *
     * @param source where its timestamp is from: asked for a statement whose session is not known
     * @param patience how long the call may begin to send
     */
    public static AttemptNotes askingClocks(WriteTimestamps source, Duration patience) {
        return new AttemptNotes(source, patience);
    }

    /**
     * What tells one write of a row from all others, in each attempt of the call. Of several writes of one row each has its own: the
     * second must not take what the first wrote for its own.
     */
    public synchronized UUID nextWriteId(Object row) {
        int nth = nextWriteOf(row);
        if (writeIds == null) {
            writeIds = new HashMap<>();
        }
        List<UUID> ids = writeIds.computeIfAbsent(row, first -> new ArrayList<>(1));
        while (ids.size() < nth) {
            // The call around it repeats this one with notes of its own.
            ids.add(outer == null ? UUID.randomUUID() : outer.nextWriteId(row));
        }
        return ids.get(nth - 1);
    }

    /** {@return whether this call has made an id for something else than another one, such as the same row with other values} */
    public synchronized boolean hasMadeApart(UUID writeId, UUID from) {
        return (writeIds != null
                        && writeIds.values().stream().anyMatch(ids -> ids.contains(writeId) && !ids.contains(from)))
                || (outer != null && outer.hasMadeApart(writeId, from));
    }

    /** {@return whether the call repeats itself} */
    public boolean isRetried() {
        return !patience.isZero();
    }

    /** {@return how often the present attempt has written a row, this time included} */
    public synchronized int nextWriteOf(Object row) {
        if (rowsWritten == null) {
            rowsWritten = new HashMap<>();
        }
        return rowsWritten.merge(row, 1, Integer::sum);
    }

    /** {@return for how long the call may go on to send} */
    public Duration left() {
        return patience.minusNanos(System.nanoTime() - madeAt);
    }

    /** {@return whether an attempt before the present one may have written what this one finds} */
    public synchronized boolean isRepetition() {
        return leftSomething || (outer != null && outer.isRepetition());
    }

    /** Asks before a statement is sent once more. */
    public void requireWanted() {
        if (abandoned) {
            throw new CancellationException("Not sent: the caller of this write has given up");
        }
    }

    /**
     * Asks before a statement that is to carry the timestamp of the logical write.
     *
     * @throws ClockOffsetException if it is a write, the first one to that session, and the clock is known to be wrong
     */
    void requireClock(Statement<?> statement, @Nullable DriverContext session) {
        if (source != null) {
            WriteTimestamps timestamps = session == null ? source : WriteTimestamps.of(session);
            if (timestamps != asked && (timestamps.problem() == null || CqlText.drawsTimestamp(statement))) {
                requireClock(timestamps);
            }
        }
    }

    /**
     * Asks the clocks of a session before a write to it, unless that was asked before.
     *
     * @throws ClockOffsetException if the clock is known to be wrong
     */
    public synchronized void requireClock(WriteTimestamps timestamps) {
        if (source == null || timestamps == asked || askedLater.contains(timestamps)) {
            return;
        }
        timestamps.requireClock();
        if (asked == null) {
            asked = timestamps;
        } else {
            askedLater =
                    Stream.concat(askedLater.stream(), Stream.of(timestamps)).toList();
        }
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
     * @return the note, the same for the whole attempt
     */
    public synchronized <N> N get(Class<N> type, Supplier<N> first) {
        if (notes == null) {
            notes = new HashMap<>();
        }
        return type.cast(notes.computeIfAbsent(type, absent -> first.get()));
    }

    /** What all attempts sent outside the scope. Made for the first thread that is made in it: most make none. */
    synchronized Strays strays() {
        if (strays == null) {
            strays = new Strays();
        }
        return strays;
    }

    // ---- what becomes of statements ----

    /** What a call of its own does is done for the call around it too: as on a thread that the scope was carried to. */
    @SuppressWarnings("ReferenceEquality") // All notes are equal, so that scopes can be.
    synchronized void joins(AttemptNotes around) {
        if (around != this) {
            outer = around;
        }
    }

    /** A write of a feature begins that sends its statements past the scope. */
    public void begun(Object write) {
        sent(write, write);
    }

    /** The write is not in effect and never will be. */
    public synchronized void withdrawn(Object write) {
        if (first == write) {
            first = null;
            answerToFirst = NO_ANSWER;
        } else if (others != null) {
            others.remove(write);
        }
        if (outer != null) {
            outer.withdrawn(write);
        }
    }

    /**
     * A statement is about to be sent. One to which the scope was applied before, as by hand and then by the session, is
     * the same one.
     *
     * @param before the statement before the scope was applied
     */
    synchronized void sent(Object before, Object statement) {
        requireWanted();
        if (outer != null) {
            outer.sent(before, statement);
        }
        if (first == null || first == before) {
            first = statement;
            return;
        }
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

    /** A statement, or the write that {@link #begun} got, is in effect. */
    public void acknowledged(Object statement) {
        answered(statement, ACKNOWLEDGED);
    }

    public void failed(Object statement, Throwable failure) {
        answered(statement, failure);
    }

    /**
     * A condition is decided.
     *
     * @param applied whether it is in effect for certain; otherwise it is not, and never will be
     */
    public synchronized void settled(Object statement, boolean applied) {
        withdrawn(statement);
        for (AttemptNotes each = this; applied && each != null; each = each.outer) {
            each.done++;
        }
    }

    /** An answer to a statement is expected. */
    public void awaited(Object statement) {
        answered(statement, AWAITED);
    }

    /** An answer to a statement is expected, and looked at when the attempt ends. */
    public synchronized void awaited(Object statement, CompletionStage<?> answer) {
        if (first != statement && others != null) {
            var unused = answer.whenComplete((row, failure) -> {
                if (failure == null) {
                    acknowledged(statement); // and let go of
                }
            });
        }
        answered(statement, answer);
    }

    private synchronized void answered(Object statement, Object answer) {
        if (first == statement) {
            answerToFirst = answer;
        } else if (others != null && others.containsKey(statement)) { // not of an earlier attempt, nor acknowledged
            if (answer == ACKNOWLEDGED) {
                others.remove(statement);
                count(statement, answer, WriteFailures::ofPlain);
            } else {
                others.put(statement, answer);
            }
        }
        if (outer != null) {
            outer.answered(statement, answer);
        }
    }

    // ---- how an attempt ends ----

    /**
     * What became of the statements of the attempt that failed.
     *
     * @param kinds tells what a failure says about the statement that met it
     * @return what must be reckoned with
     */
    public synchronized Tally tally(Throwable failure, Function<Throwable, FailureKind> kinds) {
        attribute(failure);
        if (first != null) {
            count(first, answerToFirst, kinds);
        }
        if (others != null) {
            others.forEach((statement, answer) -> count(statement, answer, kinds));
        }
        Tally tally = new Tally(done, undecided);
        leftSomething |= tally.inEffect() > 0;
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
            if (statement instanceof Request request && CqlText.mayBeConditional(request)) {
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
        rowsWritten = null;
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
            if (thread == null && CqlText.drawsTimestamp(statement)) {
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
            return WriteFailures.anyOf(failure, Strays::wasSentOutside)
                    ? "the statement that failed was sent outside its scope"
                    : null;
        }

        /** Whether the statement that failed had no timestamp, so that the driver stamped it. */
        private static boolean wasSentOutside(Throwable failure) {
            ExecutionInfo execution = failure instanceof DriverException driver ? driver.getExecutionInfo() : null;
            return execution != null
                    && execution.getRequest() instanceof Statement<?> statement
                    && CqlText.drawsTimestamp(statement);
        }
    }
}
