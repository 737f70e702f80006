package io.surewrite.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Another held the name: it was seen in the table while the caller waited, or holds the name in this process. If no
 * holder was seen, callers get a {@link LeaseUnavailableException} instead.
 */
public final class LeaseNotAcquiredException extends LeaseException {

    private final @Nullable String holder;

    public LeaseNotAcquiredException(String name, Duration waited, @Nullable String holder) {
        super(
                name,
                "Lease '%s' was not acquired in %s: %s holds it"
                        .formatted(name, waited, holder == null ? "another" : "'" + holder + "'"),
                null);
        this.holder = holder;
    }

    /** {@return the name of the process that was seen to hold the lease; null if it was gone before its name was read} */
    public @Nullable String holder() {
        return holder;
    }
}
