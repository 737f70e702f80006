package io.surewrite.lease.adapter;

import io.surewrite.lease.LeaseRequest;
import java.time.Duration;

/** Leases count in whole seconds, and other libraries in any duration. */
final class WholeSeconds {

    /** The first of the table's whole seconds may be over at once, and the holder stops counting before the table. */
    private static final Duration GRAIN = Duration.ofSeconds(2);

    private WholeSeconds() {}

    /**
     * {@return a ttl with which a lease is held for so long: up to three seconds more, but a year at most}
     *
     * @param duration for how long
     */
    static Duration covering(Duration duration) {
        if (duration.compareTo(LeaseRequest.MAX_TTL) >= 0) {
            return LeaseRequest.MAX_TTL;
        }
        Duration wanted = duration.isNegative() ? GRAIN : duration.plus(GRAIN);
        Duration roundedUp = Duration.ofSeconds(wanted.plusNanos(999_999_999).toSeconds());
        return roundedUp.compareTo(LeaseRequest.MAX_TTL) < 0 ? roundedUp : LeaseRequest.MAX_TTL;
    }
}
