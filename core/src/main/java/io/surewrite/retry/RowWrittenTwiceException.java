package io.surewrite.retry;

import org.springframework.dao.InvalidDataAccessApiUsageException;

/**
 * One logical write saves a row twice, and differently. Both would carry its one timestamp, and Cassandra settles writes of
 * one timestamp cell by cell: the row would become a mix of both. The call that was refused has sent nothing.
 */
public class RowWrittenTwiceException extends InvalidDataAccessApiUsageException {

    private static final long serialVersionUID = 1L;

    /**
     * Says what was refused.
     *
     * @param message the table and the fix
     */
    public RowWrittenTwiceException(String message) {
        super(message);
    }
}
