package io.surewrite.lease.adapter;

import java.time.Duration;

/** Leases count in whole seconds, and from two. */
final class WholeSeconds {

    private static final Duration LEAST = Duration.ofSeconds(2);

    private WholeSeconds() {}

    static Duration atLeast(Duration duration) {
        Duration roundedUp = Duration.ofSeconds(duration.plusNanos(999_999_999).toSeconds());
        return roundedUp.compareTo(LEAST) < 0 ? LEAST : roundedUp;
    }
}
