package io.surewrite.cql.settle;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.ConditionalWrite;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.SerialConsistencyException;
import io.surewrite.cql.WriteOutcome;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A row of a table that says at which serial consistency the table is written. Transactions of different levels do not see
 * each other. The first process writes it, all processes compare.
 *
 * @param table the table as CQL names it
 * @param insert inserts the row {@code IF NOT EXISTS}; its one marker is the level
 * @param column where the level stands
 * @param where the row's primary key, as a condition
 * @param danger what happens when both levels are used, for messages
 */
public record SerialConsistencyRow(String table, String insert, String column, String where, String danger) {

    /** What names the row, which nothing else in these tables is called. */
    public static final String NAME = "surewrite:serial-consistency";

    private static final Logger log = LoggerFactory.getLogger(SerialConsistencyRow.class);

    /**
     * Makes sure that all processes write the table at the level of this session. Without a clear answer it only warns.
     *
     * @param session the session
     * @param writes how conditional writes run
     * @param timeout how long to ask
     * @throws SerialConsistencyException if others use the other level
     */
    public void require(CqlSession session, ConditionalWrites writes, Duration timeout) {
        String mine = ConditionalProfile.of(session)
                .getString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY)
                .toUpperCase(Locale.ROOT);
        SimpleStatement statement = SimpleStatement.newInstance(insert, mine);
        WriteOutcome outcome = writes.execute(
                        new ConditionalWrite(statement, row -> mine.equals(levelOf(row))), timeout)
                .toCompletableFuture()
                .join();
        if (outcome instanceof WriteOutcome.Rejected rejected && rejected.row() != null) {
            throw refusal(levelOf(rejected.row()), mine);
        }
        if (!(outcome instanceof WriteOutcome.Applied)) {
            log.warn("It could not be checked whether all who write {} do so at {}: {}", table, mine, outcome);
        }
    }

    private SerialConsistencyException refusal(String theirs, String mine) {
        return new SerialConsistencyException(
                ("The lightweight transactions in %s are decided at %s, but this application is configured for %s. The two"
                                + " do not see each other: %s.")
                        .formatted(table, theirs, mine, danger),
                """
                Set surewrite.conditional.serial-consistency=%s, as everybody else has it. To change it for all, stop all \
                applications that use the table, run

                DELETE FROM %s WHERE %s IF EXISTS;

                and start them with the new value.""".formatted(theirs.toLowerCase(Locale.ROOT).replace('_', '-'), table, where));
    }

    private String levelOf(Row row) {
        return String.valueOf(row.getString(column));
    }
}
