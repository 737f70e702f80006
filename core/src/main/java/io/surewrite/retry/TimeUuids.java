package io.surewrite.retry;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.time.Instant;
import java.util.UUID;

/**
 * Time-based ids (version 1, Cassandra's {@code timeuuid}) made in the client: the fix for {@code now()}, which makes
 * another one at every attempt.
 */
public final class TimeUuids {

    private TimeUuids() {}

    /**
     * Makes an id that no other call makes, here or on another machine.
     *
     * @return a version 1 UUID of this moment
     */
    public static UUID next() {
        return Uuids.timeBased();
    }

    /**
     * The moment at which an id was made.
     *
     * @param id a version 1 UUID
     * @return its time, in milliseconds
     * @throws IllegalArgumentException if it is of another version
     */
    public static Instant instantOf(UUID id) {
        return Instant.ofEpochMilli(Uuids.unixTimestamp(id));
    }

    /**
     * The least id of a moment, for the lower end of a range; not to be used as an id.
     *
     * @param moment the moment, cut to milliseconds
     * @return a version 1 UUID
     */
    public static UUID startOf(Instant moment) {
        return Uuids.startOf(moment.toEpochMilli());
    }

    /**
     * The greatest id of a moment, for the upper end of a range; not to be used as an id.
     *
     * @param moment the moment, cut to milliseconds
     * @return a version 1 UUID
     */
    public static UUID endOf(Instant moment) {
        return Uuids.endOf(moment.toEpochMilli());
    }
}
