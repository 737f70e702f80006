package io.surewrite.actuate;

import io.surewrite.backlog.BacklogSize;
import java.time.Clock;
import java.time.Duration;

/** How old a backlog is: for health and meters, neither of which needs the library of the other. */
final class BacklogAge {

    private BacklogAge() {}

    /** How long ago the oldest waiting write was decided; zero if none waits. */
    static Duration of(BacklogSize size, Clock clock) {
        return size.oldest() == null ? Duration.ZERO : Duration.between(size.oldest(), clock.instant());
    }
}
