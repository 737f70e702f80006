package io.surewrite.lease;

import io.surewrite.write.Internal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.MessageFormatter;

/**
 * How leases behave in this process.
 *
 * @param skewMargin how far clocks may be apart; a lease counts as lost this much (and one second, because the table counts in
 *     whole seconds) before its ttl is over
 */
@Internal
public record LeaseSettings(
        String holder,
        Duration ttl,
        Duration skewMargin,
        @Nullable Duration maxHold,
        Duration attemptTimeout) {

    private static final Duration MIN_TTL = Duration.ofSeconds(2);
    private static final Duration TTL_GRAIN = Duration.ofSeconds(1);

    public LeaseSettings {
        checkTtl(ttl);
        check(!skewMargin.isNegative(), "the margin of clocks must not be negative but is {}", skewMargin);
        checkUsable("ttl", ttl, skewMargin);
        if (maxHold != null) {
            check(isPositive(maxHold), "max-hold must be positive but is {}", maxHold);
        }
        check(isPositive(attemptTimeout), "attempt-timeout must be positive but is {}", attemptTimeout);
    }

    public static LeaseSettings defaults(String holder) {
        return new LeaseSettings(holder, Duration.ofSeconds(30), Duration.ofMillis(500), null, Duration.ofSeconds(5));
    }

    static void checkTtl(Duration ttl) {
        check(
                ttl.compareTo(MIN_TTL) >= 0,
                "the ttl of a lease must be at least 2 s, because the table counts in whole seconds, but is {}",
                ttl);
        check(ttl.compareTo(LeaseRequest.MAX_TTL) <= 0, "the ttl of a lease must be at most a year but is {}", ttl);
        check(
                ttl.equals(Duration.ofSeconds(ttl.toSeconds())),
                "the ttl of a lease must be whole seconds, because Cassandra counts it so, but is {}",
                ttl);
    }

    static void checkHoldAtLeast(Duration holdAtLeast) {
        check(!holdAtLeast.isNegative(), "holdAtLeast must not be negative but is {}", holdAtLeast);
        check(
                holdAtLeast.compareTo(LeaseRequest.MAX_TTL) <= 0,
                "holdAtLeast must be at most a year but is {}",
                holdAtLeast);
    }

    static void checkUsable(String what, Duration ttl, Duration skewMargin) {
        check(
                usable(ttl, skewMargin).compareTo(Duration.ofMillis(100)) >= 0,
                "{} {} leaves no time to hold a lease: it must exceed the margin of clocks, {}, by more than 1.1 s",
                what,
                ttl,
                skewMargin);
    }

    /** How long a holder may count on a lease with this ttl, from when the statement was sent that wrote it. */
    static Duration usable(Duration ttl, Duration skewMargin) {
        return ttl.minus(TTL_GRAIN).minus(skewMargin);
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    private static void check(boolean condition, String message, Object... values) {
        if (!condition) {
            throw new IllegalArgumentException("Lease setting refused: "
                    + MessageFormatter.arrayFormat(message, values).getMessage());
        }
    }
}
