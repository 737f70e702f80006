package io.surewrite.lease;

import java.time.Duration;

/** Somebody else held the name for as long as the caller was willing to wait. */
public final class LeaseNotAcquiredException extends LeaseException {

    LeaseNotAcquiredException(String name, Duration waited) {
        super(name, "Lease '%s' was still held by another after %s".formatted(name, waited), null);
    }
}
