package io.surewrite.unique;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * What the classes of the protocol work with; the simulation brings its own of each.
 *
 * @param claims the table of claims
 * @param time the clock, the write timestamps and the timers
 * @param rules the rules
 * @param settings how unique values are guarded
 * @param pins when the timestamps of write scopes were first used
 * @param settled rows that no fence endangers any more
 * @param ids a fresh id at every call
 * @param random a number from 0 to 1 at every call, for jitter
 * @param listener who is told
 */
record GuardParts(
        ClaimStore claims,
        UniqueTime time,
        UniqueRules rules,
        UniqueSettings settings,
        ScopePins pins,
        SettledRows settled,
        Supplier<UUID> ids,
        DoubleSupplier random,
        UniqueListener listener) {

    GuardParts {
        listener = UniqueListener.all(List.of(listener));
    }

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** How long to wait before the next try, in nanoseconds: growing, with jitter. */
    long pause(int tries) {
        long bound = Math.min(LONGEST_PAUSE.toNanos(), FIRST_PAUSE.toNanos() << Math.min(tries, 10));
        return bound / 2 + (long) (bound / 2.0 * random.getAsDouble());
    }
}
