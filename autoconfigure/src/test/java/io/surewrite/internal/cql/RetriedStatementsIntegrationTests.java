package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.SharedCassandra;
import io.surewrite.internal.cql.RetryOracle.Outcome;
import io.surewrite.testsupport.BothLanes;
import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the check accepts, against what a server makes of it; {@code -Dsurewrite.seed=...} repeats a search. */
class RetriedStatementsIntegrationTests {

    private static final long SEED = Long.getLong("surewrite.seed", System.nanoTime());
    private static final int STATEMENTS = Integer.getInteger("surewrite.statements", 100);
    /** Of the refused ones only some are run, about twenty a search at least: they are counted, not judged. */
    private static final int SAMPLE = Math.min(10, Math.max(1, STATEMENTS / 20));

    private static CqlSession session;

    private final RetryOracle oracle = new RetryOracle(session, TestSchema.KEYSPACE);
    private final IdempotenceCheck check = new IdempotenceCheck(false);
    private final TableLookup schema = TableLookup.of(session);

    /** What was accepted, although the server held something else after the second run. */
    private final List<String> falseAccepts = new ArrayList<>();

    private int acceptedAndUnchanged;
    private int refusedAndChanged;

    @BeforeAll
    static void createTables() {
        session = OracleSession.open();
    }

    @AfterAll
    static void dropTables() {
        OracleSession.close(session);
    }

    private void judge(String cql, boolean accepted) {
        Outcome outcome = oracle.judge(cql);
        if (accepted && outcome == Outcome.CHANGED) {
            falseAccepts.add(cql);
        }
        acceptedAndUnchanged += accepted && outcome == Outcome.UNCHANGED ? 1 : 0;
        refusedAndChanged += !accepted && outcome == Outcome.CHANGED ? 1 : 0;
    }

    @Test
    void cassandrasOwnParserAcceptsTheWholeCorpus() throws IOException {
        try (CassandraParser parser = new CassandraParser(SharedCassandra.get().version())) {
            assertThat(parser.accepts("INSERT INTO t (a) VALUES (")).isFalse();
            assertThat(Corpus.entries())
                    .allSatisfy(entry -> assertThat(parser.accepts(entry.cql())).isTrue());
        }
    }

    @Test
    @LongLane
    void nothingOfTheCorpusThatIsAcceptedChangesAnything() {
        for (Corpus.Entry entry : Corpus.entries()) {
            IdempotenceVerdict verdict = check.check(entry.cql(), schema);
            if (verdict.refusals().stream().noneMatch(refusal -> refusal.reason() == RefusalReason.NOT_A_ROW_WRITE)) {
                judge(entry.cql(), verdict.refusals().isEmpty());
            }
        }
        assertThat(falseAccepts).isEmpty();
        assertThat(acceptedAndUnchanged).isGreaterThan(150);
        assertThat(refusedAndChanged).isGreaterThan(60);
    }

    /** Goes on until it has tried so many, and met enough of both kinds: how many are met is a matter of chance. */
    @Test
    @BothLanes
    void acceptsNoStatementThatChangesAnythingWhenItRunsAgain() {
        System.out.println("Random statements with seed " + SEED);
        StatementGenerator statements = new StatementGenerator(new Random(SEED), new TestSchema());
        for (int number = 0;
                number < STATEMENTS || acceptedAndUnchanged <= STATEMENTS / 10 || refusedAndChanged == 0;
                number++) {
            assertThat(number)
                    .as("statements without enough of both kinds, seed %d", SEED)
                    .isLessThan(20 * STATEMENTS);
            String cql = statements.next();
            boolean accepted = check.check(cql, schema).refusals().isEmpty();
            if (accepted || number % SAMPLE == 0) {
                judge(cql, accepted);
            }
        }
        assertThat(falseAccepts).as("seed %d", SEED).isEmpty();
    }
}
