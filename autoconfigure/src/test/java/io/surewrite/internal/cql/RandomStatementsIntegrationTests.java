package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.cql.IdempotenceCheck.IdempotenceVerdict;
import io.surewrite.internal.cql.RetryOracle.Outcome;
import io.surewrite.testsupport.BothLanes;
import java.io.IOException;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;
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

    @Test
    void acceptsNoStatementThatChangesAnythingWhenItRunsAgain() throws IOException {
        StatementGenerator generator = new StatementGenerator(new Random(SEED), new TestSchema());

        Tally tally = search(
                "generated",
                STATEMENTS,
                generator::next,
                found -> found.count(true, Outcome.UNCHANGED) > STATEMENTS / 10
                        && found.count(false, Outcome.CHANGED) > 0);

        assertThat(tally.falseAccepts()).as("seed %d", SEED).isEmpty();
    }

    @Test
    void acceptsNoMutatedStatementThatChangesAnythingWhenItRunsAgain() throws IOException {
        StatementMutator mutator = new StatementMutator(new Random(SEED));

        Tally tally = search(
                "mutated",
                2 * STATEMENTS,
                mutator::next,
                found -> found.count(true, Outcome.UNCHANGED) > STATEMENTS / 20);

        assertThat(tally.falseAccepts()).as("seed %d", SEED).isEmpty();
    }

    /** Goes on until it has tried so many, and met enough of both kinds: how many are met is a matter of chance. */
    private static Tally search(String name, int count, Supplier<String> statements, Predicate<Tally> enough)
            throws IOException {
        RetryOracle oracle = new RetryOracle(session, TestSchema.KEYSPACE);
        TableLookup schema = TableLookup.of(session);
        IdempotenceCheck check = new IdempotenceCheck(false);
        Tally tally = new Tally();
        for (int number = 0; number < count || !enough.test(tally); number++) {
            assertThat(number)
                    .as("statements without enough of both kinds, seed %d", SEED)
                    .isLessThan(20 * count);
            String cql = statements.get();
            IdempotenceVerdict verdict = check.check(cql, schema);
            if (verdict.refusals().isEmpty() || number % SAMPLE == 0) {
                tally.add(cql, verdict, oracle.judge(cql));
            } else {
                tally.addUnjudged(verdict);
            }
        }
        tally.report(name);
        return tally;
    }
}
