package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.context.DriverContext;
import io.surewrite.write.WriteTimestamps;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Timestamps of which no two processes of a run draw the same. Two writes of one row at one microsecond mix by columns, as
 * is documented, and whoever judges the row could not tell that from a fault. The number in the session's name tells the
 * processes apart.
 */
public final class ApartTimestamps extends WriteTimestamps {

    private static final int PROCESSES = 8;

    /** In microseconds; each process has two of a turn, as an overwrite takes two. */
    private static final long TURN = 2 * PROCESSES;

    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final AtomicLong LAST = new AtomicLong();

    /** The constructor that the driver looks for. */
    public ApartTimestamps(DriverContext context) {
        super(() -> next(place(context.getSessionName())));
    }

    private static long next(long place) {
        long turn = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) / TURN * TURN;
        return LAST.updateAndGet(last -> Math.max(last + TURN, turn + place));
    }

    private static long place(String name) {
        Matcher number = NUMBER.matcher(name);
        return (number.find() ? Integer.parseInt(number.group()) % PROCESSES : 0) * 2L + 1;
    }
}
