package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.SharedCassandra;
import io.surewrite.internal.cql.IdempotenceCheck.IdempotenceVerdict;
import io.surewrite.internal.cql.RetryOracle.Outcome;
import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CorpusIntegrationTests {

    private static final IdempotenceCheck CHECK = new IdempotenceCheck(false);

    private static CqlSession session;
    private static TableLookup schema;

    @BeforeAll
    static void createTables() {
        session = OracleSession.open();
        schema = TableLookup.of(session);
    }

    @AfterAll
    static void dropTables() {
        OracleSession.close(session);
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
    void nothingThatIsAcceptedChangesAnythingWhenItRunsAgain() {
        RetryOracle oracle = new RetryOracle(session, CqlIdentifier.fromInternal("idem"));
        Tally tally = new Tally();

        for (Corpus.Entry entry : Corpus.entries()) {
            IdempotenceVerdict verdict = CHECK.check(entry.cql(), schema);
            if (verdict.refusals().stream().noneMatch(refusal -> refusal.reason() == RefusalReason.NOT_A_ROW_WRITE)) {
                tally.add(entry.cql(), verdict, oracle.judge(entry.cql()));
            }
        }

        assertThat(tally.falseAccepts()).isEmpty();
        assertThat(tally.count(true, Outcome.UNCHANGED)).isGreaterThan(150);
        assertThat(tally.count(false, Outcome.CHANGED)).isGreaterThan(60);
    }
}
