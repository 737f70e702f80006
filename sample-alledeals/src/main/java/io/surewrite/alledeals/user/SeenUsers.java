package io.surewrite.alledeals.user;

import io.surewrite.alledeals.web.Recent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Who was read in the last minute, so that somebody who looks, buys and looks again is not read at every step; and how whoever
 * shopped looked, for as long as the database is away.
 */
@Component
class SeenUsers {

    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private final Map<UUID, Instant> seen = Recent.map(10_000);
    private final Map<UUID, UserView> shoppers = Recent.map(10_000);
    private final Clock clock;

    SeenUsers(Clock clock) {
        this.clock = clock;
    }

    void add(UUID id) {
        seen.put(id, clock.instant());
    }

    void addShopper(UserView shopper) {
        shoppers.put(shopper.id(), shopper);
    }

    @Nullable
    UserView shopper(UUID id) {
        return shoppers.get(id);
    }

    /** Nothing of a user who is removed stays in the memory. */
    void remove(UUID id) {
        seen.remove(id);
        shoppers.remove(id);
    }

    boolean has(UUID id) {
        Instant when = seen.get(id);
        return when != null && when.plus(REMEMBERED).isAfter(clock.instant());
    }
}
