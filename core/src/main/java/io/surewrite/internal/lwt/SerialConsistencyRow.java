package io.surewrite.internal.lwt;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.surewrite.internal.lwt.ConditionalProfile.ConditionalLevel;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.FailureKind;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteOutcome;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a table says about the transactions that write it: a row with their serial consistency, and for {@code LOCAL_SERIAL} the one
 * data centre that decides them. Transactions of different levels do not see each other, nor do local ones of different data centres.
 * The first process writes the row, all compare. It is decided over all data centres: of two first processes one wins.
 *
 * @param insert inserts the row {@code IF NOT EXISTS}; its one marker is the value
 * @param danger what happens otherwise, for messages
 */
public record SerialConsistencyRow(String table, String insert, String column, String where, String danger) {

    /** What names the row, which nothing else in these tables is called. */
    public static final String NAME = "surewrite:serial-consistency";

    private static final Logger log = LoggerFactory.getLogger(SerialConsistencyRow.class);

    private static final String HOME = " in ";

    /**
     * Refuses a session that writes the table at another level, or in another data centre. Without a clear answer it only warns.
     */
    public void require(CqlSession session, ConditionalWrites writes, Duration timeout) {
        String mine = ConditionalProfile.serialLevel(session).name();
        ConditionalLevel decided = ConditionalLevel.of(session);
        if (decided.local()) {
            requireOneCoordinatingDatacenter(session);
            mine += HOME + decided.datacenter();
        }
        String theirs = null;
        Object unclear;
        try {
            WriteOutcome outcome = settled(mine, writes, timeout);
            unclear = outcome;
            if (outcome instanceof WriteOutcome.Applied) {
                theirs = mine;
            } else if (outcome instanceof WriteOutcome.Rejected rejected && rejected.row() != null) {
                theirs = valueOf(rejected.row());
            }
        } catch (RuntimeException failure) {
            Throwable refused = DriverFailures.unwrapped(failure);
            if (!decided.local() || !(refused instanceof InvalidQueryException)) {
                throw WriteFailures.ofConditional(refused) == FailureKind.WRONG_STATEMENT
                        ? cannotBeWritten(refused)
                        : failure;
            }
            unclear = refused; // SERIAL may be forbidden.
        }
        if (theirs == null) {
            theirs = asSeenHere(session); // Another data centre is away; the row was here before.
        }
        if (theirs == null) {
            log.warn(
                    "It could not be checked whether all who write {} do so at {}; otherwise {}: {}",
                    table,
                    mine,
                    danger,
                    unclear);
        } else if (!theirs.equals(mine)) {
            throw theirs.contains(HOME) && mine.contains(HOME) ? anotherHome(theirs, mine) : anotherLevel(theirs, mine);
        }
    }

    private WriteOutcome settled(String mine, ConditionalWrites writes, Duration timeout) {
        SimpleStatement statement = SimpleStatement.newInstance(insert, mine)
                .setSerialConsistencyLevel(ConsistencyLevel.SERIAL)
                .setConsistencyLevel(ConsistencyLevel.QUORUM);
        return writes.execute(new ConditionalWrite(statement, seen -> mine.equals(valueOf(seen))), timeout)
                .toCompletableFuture()
                .join();
    }

    private String valueOf(Row row) {
        return String.valueOf(row.getString(column));
    }

    /** Where a local transaction is decided is not the session's choice but the coordinator's: its own data centre. */
    private void requireOneCoordinatingDatacenter(CqlSession session) {
        boolean goesElsewhere = session.getContext().getConfig().getProfiles().values().stream()
                .anyMatch(profile -> profile.getInt(LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 0) > 0);
        if (goesElsewhere || ConditionalLevel.datacenters(session).count() > 1) {
            throw new InvalidConfigurationException(
                    table,
                    ("The lightweight transactions in %s are decided in one data centre (LOCAL_SERIAL), but the driver may"
                                    + " send them to nodes of several, each of which decides alone: %s.")
                            .formatted(table, danger),
                    """
                    Set spring.cassandra.local-datacenter, and in each profile of the driver's configuration \
                    advanced.load-balancing-policy.dc-failover.max-nodes-per-remote-dc = 0; \
                    or surewrite.conditional.serial-consistency=serial for all who write the table.""",
                    "data-centres");
        }
    }

    private @Nullable String asSeenHere(CqlSession session) {
        SimpleStatement select = SimpleStatement.newInstance(
                        "SELECT %s FROM %s WHERE %s".formatted(column, table, where))
                .setExecutionProfileName(ConditionalWrites.PROFILE)
                .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
        try {
            Row row = ConditionalProfile.DEFAULT.on(session).execute(select).one();
            return row == null ? null : valueOf(row);
        } catch (RuntimeException unanswered) {
            log.debug("Who decides the transactions in {} could not be read", table, unanswered);
            return null;
        }
    }

    /** What the cluster refuses at the first write to a table is a matter of the schema, too. */
    private InvalidConfigurationException cannotBeWritten(Throwable cause) {
        InvalidConfigurationException refused = new InvalidConfigurationException(
                table,
                "The table %s cannot be written: %s.".formatted(table, cause.getMessage()),
                """
                Where it is a permission that is missing, let the application's role read and write the table:

                GRANT SELECT ON TABLE %1$s TO ...;
                GRANT MODIFY ON TABLE %1$s TO ...;

                Where it is a guardrail of the server (write_consistency_levels_disallowed), take the level that the message \
                names out of it in cassandra.yaml of each node; surewrite.conditional.serial-consistency says which one is used.""".formatted(table),
                "schema");
        refused.initCause(cause);
        return refused;
    }

    private InvalidConfigurationException anotherLevel(String theirs, String mine) {
        return new InvalidConfigurationException(
                table,
                ("The lightweight transactions in %s are decided at %s, but this application is configured for %s. The two"
                                + " do not see each other: %s.")
                        .formatted(table, levelOf(theirs), levelOf(mine), danger),
                """
                Set surewrite.conditional.serial-consistency=%s, as everybody else has it. To change it for all, stop all \
                applications that use the table, repair it (nodetool repair), run

                DELETE FROM %s WHERE %s IF EXISTS;

                and start them with the new value.""".formatted(levelOf(theirs).toLowerCase(Locale.ROOT).replace('_', '-'), table, where),
                "consistency");
    }

    private static String levelOf(String value) {
        return value.split(HOME, 2)[0];
    }

    private InvalidConfigurationException anotherHome(String theirs, String mine) {
        String theirHome = theirs.split(HOME, 2)[1];
        String myHome = mine.split(HOME, 2)[1];
        return new InvalidConfigurationException(
                table,
                ("The lightweight transactions in %s are decided in data centre %s alone (LOCAL_SERIAL), but this application"
                                + " would decide its own in %s. Neither sees the other's: %s.")
                        .formatted(table, theirHome, myHome, danger),
                """
                Let applications in %1$s alone write the table; or give each data centre tables of its own \
                (surewrite.schema.table-prefix); or set surewrite.conditional.serial-consistency=serial for all, which decides over \
                all data centres. To move the table to %2$s, stop all applications that use it, repair it (nodetool repair), run

                UPDATE %3$s SET %4$s = '%5$s' WHERE %6$s IF %4$s = '%7$s';

                and start them there.""".formatted(theirHome, myHome, table, column, mine, where, theirs),
                "data-centres");
    }
}
