package io.surewrite.alledeals.user;

import io.surewrite.alledeals.web.Recent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Who was read in the last minute, so that somebody who looks, buys and looks again is not read at every step. */
@Component
class SeenUsers {

    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private final Recent<UUID, Instant> seen = new Recent<>();
    private final Clock clock;

    SeenUsers(Clock clock) {
        this.clock = clock;
    }

    void add(UUID id) {
        seen.put(id, clock.instant());
    }

    void remove(UUID id) {
        seen.remove(id);
    }

    boolean has(UUID id) {
        Instant when = seen.get(id);
        return when != null && when.plus(REMEMBERED).isAfter(clock.instant());
    }
}
