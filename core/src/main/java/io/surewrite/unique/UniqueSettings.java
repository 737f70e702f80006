package io.surewrite.unique;

import io.surewrite.write.Internal;
import java.time.Duration;

/** How unique values are guarded; the lease must be the same in all processes. The page of unique values says what each is. */
@Internal
public record UniqueSettings(
        Duration lease,
        Duration skewMargin,
        Duration pendingWait,
        Duration attemptTimeout,
        Duration timeout,
        boolean valuesInMessages) {

    public UniqueSettings {
        check(lease.equals(Duration.ofSeconds(lease.toSeconds())), "lease must be whole seconds, but is " + lease);
        check(lease.compareTo(Duration.ofHours(1)) <= 0, "lease must be at most an hour, but is " + lease);
        check(!skewMargin.isNegative(), "the margin of clocks must not be negative, but is " + skewMargin);
        check(
                lease.minusSeconds(1).minus(skewMargin).compareTo(Duration.ofMillis(100)) >= 0,
                "lease %s leaves no time to write: it must exceed the margin of clocks, %s, by more than 1.1 s"
                        .formatted(lease, skewMargin));
        check(!pendingWait.isNegative(), "pending-wait must not be negative, but is " + pendingWait);
        check(isPositive(attemptTimeout), "attempt-timeout must be positive, but is " + attemptTimeout);
        check(isPositive(timeout), "timeout must be positive, but is " + timeout);
        check(
                pendingWait.multipliedBy(2).compareTo(timeout) < 0,
                "pending-wait %s must be less than half the timeout %s: who has waited must still have the time to write"
                        .formatted(pendingWait, timeout));
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    private static void check(boolean condition, String problem) {
        if (!condition) {
            throw new IllegalArgumentException("Setting of unique values refused: " + problem);
        }
    }
}
