package io.surewrite.write;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.api.core.time.TimestampGenerator;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.surewrite.internal.compat.PerSession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one source of write timestamps of a session: microseconds since the epoch, strictly increasing, lock-free.
 *
 * <p>Set as the driver's {@code advanced.timestamp-generator.class}, it also stamps the writes that no scope pins, so
 * that no two writes of the session ever share a timestamp. The sources of all sessions of a process count together: a
 * write that is decided after another one, on whichever session, has the later timestamp.
 *
 * <p>While its {@link ClockWatch} knows its clock to be wrong, no timestamp is to be had for a new write: whatever others
 * write later would stay hidden behind it, or it behind what they wrote before. Each session has a watch of its own, as the
 * nodes of each may belong to another cluster.
 */
public class WriteTimestamps implements TimestampGenerator {

    /** Those of sessions that have a generator of another kind. */
    private static final PerSession<WriteTimestamps> BESIDE =
            new PerSession<>(context -> beside(context.getTimestampGenerator()));

    private static final AtomicLong LAST_OF_PROCESS = new AtomicLong();

    /** How far the clock may be off before sure writes are refused, unless that is configured. */
    public static final Duration DEFAULT_MAX_OFFSET = Duration.ofSeconds(5);

    private final LongSupplier micros;
    private final LongSupplier clock;
    private final AtomicLong last;
    private volatile @Nullable ClockWatch watch;

    /** Watches the clock of one source of timestamps. */
    @Internal
    public interface ClockWatch {

        /** {@return what is known to be wrong with the clock, so that writes are refused; null if nothing is} */
        @Nullable
        String problem();

        /**
         * {@return by how many microseconds another process may be ahead of this one without that being known for a wrong
         * clock: each may be off by as much as is permitted}
         */
        long longestLead();

        void close();
    }

    /** The constructor that the driver looks for. */
    public WriteTimestamps(DriverContext context) {
        this(WriteTimestamps::now, LAST_OF_PROCESS, WriteTimestamps::now);
    }

    /** Creates a source of its own. Its clock may stand still or step back. */
    public WriteTimestamps(Clock clock) {
        this(() -> microsOf(clock.instant()));
    }

    /** Creates a source of its own from a clock in microseconds since the epoch, which may stand still or step back. */
    public WriteTimestamps(LongSupplier micros) {
        this(micros, new AtomicLong(), micros);
    }

    private WriteTimestamps(LongSupplier micros, AtomicLong last, LongSupplier clock) {
        this.micros = micros;
        this.last = last;
        this.clock = clock;
    }

    /**
     * {@return the timestamp generator of a session if it is one of ours; otherwise a source beside it, always the same one,
     * whose timestamps lie above those that the session's own generator has given out before}
     */
    public static WriteTimestamps of(Session session) {
        DriverContext context = session.getContext();
        return context instanceof InternalDriverContext
                ? of(context)
                : new WriteTimestamps(
                        WriteTimestamps::now, LAST_OF_PROCESS, WriteTimestamps::now); // a mock, as in a test
    }

    public static WriteTimestamps of(DriverContext context) {
        return context.getTimestampGenerator() instanceof WriteTimestamps ours ? ours : BESIDE.get(context);
    }

    private static WriteTimestamps beside(TimestampGenerator generator) {
        // The driver's generators run ahead of the clock under load; one of the server's side gives no timestamp at
        // all. The watch reads the clock alone: to ask the generator would use its timestamps up.
        return new WriteTimestamps(() -> Math.max(now(), generator.next()), LAST_OF_PROCESS, WriteTimestamps::now);
    }

    /** {@return the one watch over the clock that these timestamps come from, made over that clock if there is none yet} */
    public final ClockWatch watch(Function<LongSupplier, ClockWatch> first) {
        ClockWatch known = watch;
        if (known == null) {
            synchronized (this) {
                known = watch == null ? first.apply(clock) : watch;
                watch = known;
            }
        }
        return known;
    }

    @Nullable
    String problem() {
        ClockWatch its = watch;
        return its == null ? null : its.problem();
    }

    void requireClock() {
        String problem = problem();
        if (problem != null) {
            throw new ClockOffsetException("Write", problem);
        }
    }

    /**
     * Stamps a statement that was given to the driver without a timestamp. While the clock is known to be wrong it leaves
     * that to the node that gets the statement: a plain write is not refused.
     *
     * @return microseconds, greater than all that were given out before, or {@link Statement#NO_DEFAULT_TIMESTAMP}
     */
    @Override
    public final long next() {
        return problem() == null ? take(1) : Statement.NO_DEFAULT_TIMESTAMP;
    }

    /**
     * {@return a timestamp for a new write, {@code n}: microseconds, greater than all that were given out before} No other write
     * has {@code n - 1} either: it is for the deletion of the row that is written.
     *
     * @throws ClockOffsetException if the clock is known to be wrong
     */
    public final long draw() {
        requireClock();
        return take(2);
    }

    /** Like {@link #draw}, but asks no clock: for a write that asks those of the sessions it goes to, and for a protocol. */
    public final long drawUnasked() {
        return take(2);
    }

    /** One tick above the last, in the middle of a protocol, which has to go on whatever the clock does. */
    public final long tick() {
        return take(1);
    }

    /** {@return what the clock shows; timestamps may be ahead of it, where it was set back} */
    public final long clockMicros() {
        return clock.getAsLong();
    }

    /** {@return the highest timestamp that was given out, or to which this was raised; of all sources that count together} */
    public final long highest() {
        return last.get();
    }

    /**
     * Has all timestamps from now on lie above one that another process has drawn. One that lies farther ahead than clocks
     * may be apart is not followed: it would take all writes of this process with it.
     *
     * @return whether they do
     */
    public final boolean raise(long floor) {
        if (floor <= last.get()) {
            return true;
        }
        if (floor - micros.getAsLong() > longestLead()) {
            return false;
        }
        last.accumulateAndGet(floor, Math::max);
        return true;
    }

    private long longestLead() {
        ClockWatch its = watch;
        return its == null ? 2 * TimeUnit.NANOSECONDS.toMicros(DEFAULT_MAX_OFFSET.toNanos()) : its.longestLead();
    }

    private long take(int ticks) {
        while (true) {
            long before = last.get();
            long taken = Math.max(micros.getAsLong(), before + ticks);
            if (last.compareAndSet(before, taken)) {
                return taken;
            }
        }
    }

    @Override
    public final void close() {
        ClockWatch its = watch;
        if (its != null) {
            its.close();
        }
    }

    private static long now() {
        return microsOf(Instant.now());
    }

    private static long microsOf(Instant instant) {
        return TimeUnit.SECONDS.toMicros(instant.getEpochSecond()) + instant.getNano() / 1_000;
    }
}
