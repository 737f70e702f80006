package io.surewrite.internal.session;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.driver.internal.core.session.SessionWrapper;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.StubCassandra;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.observability.ObservableCqlSessionFactory;

/** The driver's own session is behind whatever an application puts around it. */
class ForgottenStatementsTests {

    private static final String CQL = "INSERT INTO t (k) VALUES (1)";

    private static StubCassandra cassandra;
    private static CqlSession session;
    private static PreparedStatement statement;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(1);
        session = cassandra.session();
        cassandra.prime(when(CQL).then(noRows()));
        statement = session.prepare(CQL);
    }

    @AfterAll
    static void stop() {
        session.close();
        cassandra.close();
    }

    @Test
    void areNotPreparedAgainInSilence() {
        DefaultSession driver =
                (DefaultSession) (session instanceof SessionWrapper wrapper ? wrapper.getDelegate() : session);
        CqlSession observed = ObservableCqlSessionFactory.wrap(session, ObservationRegistry.create());
        for (CqlSession around :
                List.of(session, ScopedCqlSession.of(session), observed, ScopedCqlSession.of(observed))) {
            assertThat(driver.getRepreparePayloads()).containsKey(statement.getId());

            ForgottenStatements.report(around, statement);
            assertThat(driver.getRepreparePayloads()).doesNotContainKey(statement.getId());

            ForgottenStatements.prepareAgain(around, statement);
            assertThat(driver.getRepreparePayloads()).containsKey(statement.getId());
        }
    }
}
