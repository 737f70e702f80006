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
import org.jspecify.annotations.Nullable;

/**
 * What is noted of the present attempt of a logical write: what became of each of its statements, what features remember,
 * and which clocks it has asked. Safe for use by many threads, as several may send the statements of one attempt.
 */
@Internal
public final class AttemptNotes {

    /** Sent by hand. */
    private static final Object NO_ANSWER = new Object();

    private static final Object AWAITED = new Object();
    private static final Object ACKNOWLEDGED = new Object();

    /** Of statements without an answer: what became of further ones stays unknown. */
    private static final int MOST = 10_000;

    private static final int MAX_DEPTH = 12;

    private final long madeAt = System.nanoTime();

    private final @Nullable WriteTimestamps source;

    private volatile List<WriteTimestamps> asked = List.of();
    private @Nullable Strays strays;
    private @Nullable Map<Class<?>, Object> notes;

    /** Those that are not in effect for certain, and their answers. */
    private @Nullable IdentityHashMap<Object, Object> statements;

    private int done;
    private int undecided;
    private volatile boolean abandoned;

    /** Of the call that this one is a part of. */
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

    /**
     * Notes of a logical write whose first statement to each session asks that session's clock, and the source of its timestamp
     * where the session is not known. What has begun goes on, whatever becomes of the clocks.
     */
    public AttemptNotes(@Nullable WriteTimestamps source, Duration patience) {
        this.source = source;
        this.patience = patience;
    }

    long madeAt() {
        return madeAt;
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

    /** Whether this call has made an id for something else than another one, such as the same row with other values. */
    public synchronized boolean hasMadeApart(UUID writeId, UUID from) {
        return (writeIds != null
                        && writeIds.values().stream().anyMatch(ids -> ids.contains(writeId) && !ids.contains(from)))
                || (outer != null && outer.hasMadeApart(writeId, from));
    }

    public boolean isRetried() {
        return !patience.isZero();
    }

    /** How often the present attempt has written a row, this time included. */
    public synchronized int nextWriteOf(Object row) {
        if (rowsWritten == null) {
            rowsWritten = new HashMap<>();
        }
        return rowsWritten.merge(row, 1, Integer::sum);
    }

    /** For how long the call may go on to send. */
    public Duration left() {
        return patience.minusNanos(System.nanoTime() - madeAt);
    }

    /** Whether an attempt before the present one may have written what this one finds. */
    public synchronized boolean isRepetition() {
        return leftSomething || (outer != null && outer.isRepetition());
    }

    public void requireWanted() {
        if (abandoned) {
            throw new CancellationException("Not sent: the caller of this write has given up");
        }
    }

    /** Refuses a write, the first one to that session, if the clock is known to be wrong. */
    void requireClock(Statement<?> statement, @Nullable DriverContext session) {
        if (source != null) {
            WriteTimestamps timestamps = session == null ? source : WriteTimestamps.of(session);
            if (!asked.contains(timestamps) && (timestamps.problem() == null || CqlText.drawsTimestamp(statement))) {
                requireClock(timestamps);
            }
        }
    }

    public synchronized void requireClock(WriteTimestamps timestamps) {
        if (source != null && !asked.contains(timestamps)) {
            timestamps.requireClock();
            List<WriteTimestamps> more = new ArrayList<>(asked);
            more.add(timestamps);
            asked = more;
        }
    }

    /** How many statements are in effect for certain, and how many others may be, now or later. */
    public record Tally(int done, int undecided) {

        public int inEffect() {
            return done + undecided;
        }
    }

    /** The note of a feature, the same for the whole attempt. */
    public synchronized <N> N get(Class<N> type, Supplier<N> first) {
        if (notes == null) {
            notes = new HashMap<>();
        }
        return type.cast(notes.computeIfAbsent(type, absent -> first.get()));
    }

    /** Made for the first thread that is made in the scope: most make none. */
    synchronized Strays strays() {
        if (strays == null) {
            strays = new Strays();
        }
        return strays;
    }

    // ---- what becomes of statements ----

    /** What a call of its own does is done for the call around it too: as on a thread that the scope was carried to. */
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
        if (statements != null) {
            statements.remove(write);
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
        if (statements == null) {
            statements = new IdentityHashMap<>(2); // most calls have one
        }
        Object known = statements.remove(before);
        if (statements.size() < MOST) {
            statements.put(statement, known == null ? NO_ANSWER : known);
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

    /** A condition is decided: it is in effect for certain, or never will be. */
    public synchronized void settled(Object statement, boolean applied) {
        withdrawn(statement);
        for (AttemptNotes each = this; applied && each != null; each = each.outer) {
            each.done++;
        }
    }

    public void awaited(Object statement) {
        answered(statement, AWAITED);
    }

    /** The answer is looked at when the attempt ends: whoever waits for it may get it before us. */
    public synchronized void awaited(Object statement, CompletionStage<?> answer) {
        if (statements != null && statements.size() > 1) {
            var unused = answer.whenComplete((row, failure) -> {
                if (failure == null) {
                    acknowledged(statement); // and let go of
                }
            });
        }
        answered(statement, answer);
    }

    private synchronized void answered(Object statement, Object answer) {
        if (statements != null && statements.containsKey(statement)) { // not of an earlier attempt, nor acknowledged
            if (answer == ACKNOWLEDGED && !mayNotHold(statement)) {
                statements.remove(statement);
                done++;
            } else {
                statements.put(statement, answer);
            }
        }
        if (outer != null) {
            outer.answered(statement, answer);
        }
    }

    // ---- how an attempt ends ----

    /** What became of the statements of the attempt that failed. */
    public synchronized Tally tally(Throwable failure, Function<Throwable, FailureKind> kinds) {
        if (statements != null) {
            attribute(failure, statements);
            statements.forEach((statement, answer) -> count(statement, answer, kinds));
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
    private static void attribute(Throwable failure, Map<Object, Object> statements) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth <= MAX_DEPTH; depth++) {
            if (at instanceof DriverException driver && driver.getExecutionInfo() != null) {
                statements.replace(driver.getExecutionInfo().getRequest(), NO_ANSWER, failure);
                return;
            }
            at = at.getCause();
        }
    }

    private void count(Object statement, Object answer, Function<Throwable, FailureKind> kinds) {
        if (answer == ACKNOWLEDGED) {
            if (mayNotHold(statement)) {
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

    private static boolean mayNotHold(Object statement) {
        return statement instanceof Request request && CqlText.mayBeConditional(request);
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

    /** The write sends no further statement. */
    public void abandon() {
        abandoned = true;
    }

    synchronized void clear() {
        notes = null;
        rowsWritten = null;
        forgetStatements();
    }

    private void forgetStatements() {
        statements = null;
        done = 0;
        undecided = 0;
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

        void seenHere() {
            thread = Thread.currentThread().getName();
        }

        void seenHere(Statement<?> statement) {
            if (thread == null && CqlText.drawsTimestamp(statement)) {
                seenHere();
            }
        }

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

        /** It had no timestamp, so that the driver stamped it. */
        private static boolean wasSentOutside(Throwable failure) {
            ExecutionInfo execution = failure instanceof DriverException driver ? driver.getExecutionInfo() : null;
            return execution != null
                    && execution.getRequest() instanceof Statement<?> statement
                    && CqlText.drawsTimestamp(statement);
        }
    }
}
