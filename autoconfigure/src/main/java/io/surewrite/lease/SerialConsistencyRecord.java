package io.surewrite.lease;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.ConditionalWrite;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteOutcome;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A row of the lease table that says at which serial consistency the table is written. Transactions of different levels do
 * not see each other: with both, two processes can hold one name. Whoever comes first writes it, everybody compares.
 */
final class SerialConsistencyRecord {

    /** The row's name, which no lease can have. */
    static final String NAME = "surewrite:serial-consistency";

    private static final Logger LOGGER = LoggerFactory.getLogger(SerialConsistencyRecord.class);

    private static final String INSERT = """
            INSERT INTO %s (name, holder, payload) VALUES (?, ?, 'Not a lease: the level at which all must write this table')
            IF NOT EXISTS""";

    private SerialConsistencyRecord() {}

    /** Throws if others write the table at another level than this session. Without a clear answer it only warns. */
    static void check(CqlSession session, ConditionalWrites writes, String table, Duration timeout) {
        String mine = session.getContext()
                .getConfig()
                .getProfile(ConditionalWrites.PROFILE)
                .getString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY)
                .toUpperCase(Locale.ROOT);
        SimpleStatement insert = SimpleStatement.newInstance(INSERT.formatted(table), NAME, mine);
        WriteOutcome outcome = writes.execute(new ConditionalWrite(insert, row -> mine.equals(levelOf(row))), timeout)
                .toCompletableFuture()
                .join();
        if (outcome instanceof WriteOutcome.Rejected rejected && rejected.row() != null) {
            throw new SerialConsistencyException(table, levelOf(rejected.row()), mine);
        }
        if (!(outcome instanceof WriteOutcome.Applied)) {
            LOGGER.warn("It could not be checked whether all who write {} do so at {}: {}", table, mine, outcome);
        }
    }

    private static String levelOf(Row row) {
        return String.valueOf(row.getString("holder"));
    }
}
