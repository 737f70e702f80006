package io.surewrite.internal.observe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Log lines of which one a minute is enough: the first of a kind at once, then one a minute at most, which says how many were
 * left out.
 */
public final class QuietLog {

    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    private record Kind(AtomicLong quietUntil, AtomicLong leftOut) {}

    public QuietLog() {
        this(System::nanoTime);
    }

    public QuietLog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Writes a line, or leaves it out.
     *
     * @param line gets its end: empty, or how many like it were left out
     */
    public void say(String kind, Consumer<String> line) {
        long now = nanos.getAsLong();
        Kind known = kinds.computeIfAbsent(kind, added -> new Kind(new AtomicLong(now), new AtomicLong()));
        long until = known.quietUntil().get();
        if (now - until >= 0 && known.quietUntil().compareAndSet(until, now + QUIET_NANOS)) {
            long before = known.leftOut().getAndSet(0);
            line.accept(before == 0 ? "" : " (and " + before + " like it since the last such line)");
        } else {
            known.leftOut().incrementAndGet();
        }
    }
}
