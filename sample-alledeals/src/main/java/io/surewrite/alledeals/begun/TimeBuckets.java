package io.surewrite.alledeals.begun;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** Cuts time into partitions: small enough to be read whole, few enough to read all of a day. */
public final class TimeBuckets {

    static final Duration LENGTH = Duration.ofMinutes(10);

    private TimeBuckets() {}

    /** The bucket that a moment is in. */
    public static Instant of(Instant moment) {
        return Instant.ofEpochSecond(
                moment.getEpochSecond() - Math.floorMod(moment.getEpochSecond(), LENGTH.toSeconds()));
    }

    /** The buckets of a span. */
    public static Stream<Instant> between(Instant from, Instant until) {
        return Stream.iterate(of(from), bucket -> !bucket.isAfter(until), bucket -> bucket.plus(LENGTH));
    }
}
