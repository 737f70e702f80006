package io.surewrite.unique.claims;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Remembers when the timestamp of a write scope was first used. A retry uses it again only as long as the deadline of that
 * first use allows: later, another process may have fenced it off, and a row written with it would be dead on arrival.
 */
final class ScopePins {

    private static final int REMEMBERED = 10_000;

    private final Map<Long, Long> pinnedAt = new LinkedHashMap<>();
    private final long process;
    private long forgotten = Long.MIN_VALUE;

    /**
     * @param process a random number that no other process has
     */
    ScopePins(long process) {
        this.process = process;
    }

    /** {@return the origin of all attempts in the scope with this timestamp} */
    UUID originOf(long timestamp) {
        return new UUID(process, timestamp);
    }

    /**
     * {@return when the timestamp was first used: now, or earlier; null if it was forgotten}
     */
    synchronized @Nullable Long firstUse(long timestamp, long now) {
        Long known = pinnedAt.get(timestamp);
        if (known != null) {
            return known;
        }
        if (timestamp <= forgotten) {
            return null;
        }
        pinnedAt.put(timestamp, now);
        if (pinnedAt.size() > REMEMBERED) {
            long oldest = pinnedAt.keySet().iterator().next();
            pinnedAt.remove(oldest);
            forgotten = Math.max(forgotten, oldest);
        }
        return now;
    }
}
