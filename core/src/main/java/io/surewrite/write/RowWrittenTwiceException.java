package io.surewrite.write;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/**
 * One logical write inserts a row twice, and differently. Both would carry its one timestamp, and Cassandra settles writes of
 * one timestamp cell by cell: the row would become a mix of both. What was refused was not sent.
 */
public class RowWrittenTwiceException extends InvalidDataAccessApiUsageException {

    public RowWrittenTwiceException(CqlIdentifier table) {
        super(("One logical write saves a row of table %s twice, with different values and the same timestamp, so that"
                        + " the row would become a mix of both. Fix: give it once, or save it again in a logical write"
                        + " of its own.")
                .formatted(table.asCql(true)));
    }
}
