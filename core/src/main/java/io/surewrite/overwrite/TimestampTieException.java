package io.surewrite.overwrite;

import org.springframework.dao.NonTransientDataAccessException;

/**
 * Another client overwrote the row with the very same timestamp, and the row is now a mix of both: Cassandra settles a tie
 * cell by cell. The write took effect; overwriting again, which takes a new timestamp, makes the row whole.
 */
public class TimestampTieException extends NonTransientDataAccessException {

    public TimestampTieException(String message) {
        super(message);
    }
}
