package io.surewrite.alledeals.web;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The rules of ids that carry their time, made by a client. */
public final class TimeIds {

    /** How far a client's clock may be ahead of ours. */
    public static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);

    /** Greater than every id that anybody makes: where the first page of a list begins. */
    public static final UUID NEWEST =
            Uuids.endOf(Instant.parse("4000-01-01T00:00:00Z").toEpochMilli());

    private TimeIds() {}

    /** Whether the id carries its time: Cassandra refuses any other UUID as a {@code timeuuid}. */
    public static boolean isTimeUuid(UUID id) {
        return id.version() == 1 && id.variant() == 2;
    }

    /** {@return the moment at which an id was made} */
    public static Instant instantOf(UUID id) {
        return Instant.ofEpochMilli(Uuids.unixTimestamp(id));
    }

    /** Refuses an id of another version. */
    public static void require(String field, UUID id) {
        if (!isTimeUuid(id)) {
            throw invalid(field, "must be a version 1 UUID (timeuuid)");
        }
    }

    /** Refuses an id of another version or from the future. */
    public static void requireNew(String field, UUID id, Instant now) {
        require(field, id);
        if (instantOf(id).isAfter(now.plus(CLOCK_TOLERANCE))) {
            throw invalid(field, "must not carry a time in the future");
        }
    }

    private static ProblemException invalid(String field, String message) {
        return new ProblemException(ProblemType.INVALID_REQUEST, new FieldProblem(field, message));
    }
}
