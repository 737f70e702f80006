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
 * that no two writes of the session ever share a timestamp.
 */
public final class WriteTimestamps implements TimestampGenerator {

    private final LongSupplier micros;
    private final AtomicLong last = new AtomicLong();

    /**
     * The constructor that the driver looks for.
     *
     * @param context the driver's context, not used
     */
    public WriteTimestamps(DriverContext context) {
        this(Clock.systemUTC());
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
        this.micros = micros;
    }

    /**
     * The source of a session.
     *
     * @param session the session
     * @return the session's timestamp generator if it is one of ours, a new source otherwise
     */
    public static WriteTimestamps of(Session session) {
        return session.getContext().getTimestampGenerator() instanceof WriteTimestamps ours
                ? ours
                : new WriteTimestamps(Clock.systemUTC());
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
