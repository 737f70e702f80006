package io.surewrite.alledeals.item;

import java.time.Duration;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** How long an item stays in the listings, counted from its start: later writes get what is left of it. */
@Component
class ListingTerm {

    /** An offer ends within this time, too. */
    static final Duration LISTED_FOR = Duration.ofDays(30);

    /**
     * Nothing is written in the last minute. A time to live counts from the moment a write arrives, so without this a
     * write that is long on its way could bring back a listing that has expired meanwhile.
     */
    static final Duration LAST_CALL = Duration.ofMinutes(1);

    /** How long a listing written now may live; zero if it must not be written any more. */
    Duration left(Instant start, Instant now) {
        Duration left = Duration.between(now, start.plus(LISTED_FOR));
        if (left.compareTo(LAST_CALL) < 0) {
            return Duration.ZERO;
        }
        // A clock that is behind the one that wrote the start must not make a listing longer.
        return left.compareTo(LISTED_FOR) > 0 ? LISTED_FOR : left;
    }
}
