package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.cql.IdempotenceCheck.IdempotenceVerdict;
import io.surewrite.internal.cql.RetryOracle.Outcome;
import io.surewrite.testsupport.BothLanes;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Searches for a false accept; {@code -Dsurewrite.seed=...} repeats a search. */
@BothLanes
class RandomStatementsIntegrationTests {

    private static final long SEED = Long.getLong("surewrite.seed", System.nanoTime());
    private static final int STATEMENTS = Integer.getInteger("surewrite.statements", 100);
    /** Of the refused ones only some are run, about twenty a search at least: they are counted, not judged. */
    private static final int SAMPLE = Math.min(10, Math.max(1, STATEMENTS / 20));

    private static CqlSession session;

    @BeforeAll
    static void createTables() {
        System.out.println("Random statements with seed " + SEED);
        session = OracleSession.open();
    }

    @AfterAll
    static void dropTables() {
        OracleSession.close(session);
    }

    /** Goes on until it has tried so many, and met enough of both kinds: how many are met is a matter of chance. */
    @Test
    void acceptsNoStatementThatChangesAnythingWhenItRunsAgain() {
        StatementGenerator statements = new StatementGenerator(new Random(SEED), new TestSchema());
        RetryOracle oracle = new RetryOracle(session, TestSchema.KEYSPACE);
        TableLookup schema = TableLookup.of(session);
        IdempotenceCheck check = new IdempotenceCheck(false);
        Tally tally = new Tally();
        for (int number = 0;
                number < STATEMENTS
                        || tally.count(true, Outcome.UNCHANGED) <= STATEMENTS / 10
                        || tally.count(false, Outcome.CHANGED) == 0;
                number++) {
            assertThat(number)
                    .as("statements without enough of both kinds, seed %d", SEED)
                    .isLessThan(20 * STATEMENTS);
            String cql = statements.next();
            IdempotenceVerdict verdict = check.check(cql, schema);
            if (verdict.refusals().isEmpty() || number % SAMPLE == 0) {
                tally.add(cql, verdict, oracle.judge(cql));
            }
        }
        assertThat(tally.falseAccepts()).as("seed %d", SEED).isEmpty();
    }
}
