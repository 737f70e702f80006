package io.surewrite.cql;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.api.core.time.TimestampGenerator;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The one source of write timestamps of a session: microseconds since the epoch, strictly increasing, lock-free.
 *
 * <p>Set as the driver's {@code advanced.timestamp-generator.class}, it also stamps the writes that nobody pins, so
 * that no two writes of the session ever share a timestamp. The sources of all sessions of a process count together: a
 * write that is decided after another one, on whichever session, has the later timestamp.
 */
public final class WriteTimestamps implements TimestampGenerator {

    private static final AtomicLong LAST_OF_PROCESS = new AtomicLong();

    private final LongSupplier micros;
    private final AtomicLong last;

    /**
     * The constructor that the driver looks for.
     *
     * @param context the driver's context, not used
     */
    public WriteTimestamps(DriverContext context) {
        this(systemClock(), LAST_OF_PROCESS);
    }

    /**
     * Creates a source of its own.
     *
     * @param clock tells the time; it may stand still or step back
     */
    public WriteTimestamps(Clock clock) {
        this(() -> microsOf(clock.instant()));
    }

    WriteTimestamps(LongSupplier micros) {
        this(micros, new AtomicLong());
    }

    private WriteTimestamps(LongSupplier micros, AtomicLong last) {
        this.micros = micros;
        this.last = last;
    }

    private static LongSupplier systemClock() {
        Clock clock = Clock.systemUTC();
        return () -> microsOf(clock.instant());
    }

    /**
     * The source of a session.
     *
     * @param session the session
     * @return the session's timestamp generator if it is one of ours; otherwise a source whose timestamps lie above those
     *     that the session's own generator has given out before
     */
    public static WriteTimestamps of(Session session) {
        TimestampGenerator generator = session.getContext().getTimestampGenerator();
        if (generator instanceof WriteTimestamps ours) {
            return ours;
        }
        LongSupplier clock = systemClock();
        // The driver's generators run ahead of the clock under load; one of the server's side gives no timestamp at
        // all.
        return new WriteTimestamps(() -> Math.max(clock.getAsLong(), generator.next()), LAST_OF_PROCESS);
    }

    /**
     * Takes the next timestamp.
     *
     * @return microseconds, greater than all that were given out before
     */
    @Override
    public long next() {
        return take(1);
    }

    /**
     * Takes two timestamps in a row, for a deletion and the row that follows it.
     *
     * @return the later one, {@code n}; {@code n - 1} is nobody else's either
     */
    public long nextPair() {
        return take(2);
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
    public void close() {}

    private static long microsOf(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }
}
