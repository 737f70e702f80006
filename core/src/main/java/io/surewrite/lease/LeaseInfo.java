package io.surewrite.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the table shows of a name, for people who look. It may be outdated when it is read: decide nothing by it.
 *
 * @param name the name
 * @param epoch no hold so far has had a greater fencing token
 * @param holder the name of the process that holds it, or null if none does
 * @param remaining how long the lease lasts unless it is renewed; zero if no process holds it
 */
public record LeaseInfo(
        String name,
        long epoch,
        @Nullable String holder,
        Duration remaining) {

    /** {@return whether a process held it when the table was read} */
    public boolean isHeld() {
        return holder != null;
    }
}
