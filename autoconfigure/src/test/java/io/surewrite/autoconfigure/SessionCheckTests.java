package io.surewrite.autoconfigure;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.StubCassandra;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.write.WriteScope;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SessionCheckTests {

    /** Later it may be a thread of the driver, which must not wait: the write would be refused. */
    @Test
    void theStartWaitsForTheTablesOfCassandra6() {
        try (StubCassandra six = new StubCassandra("6.0.0")) {
            six.prime(StubCassandra.when(TransactionalTables.SCHEMA)
                    .then(rows().row(StubCassandra.described(
                                    CqlIdentifier.fromCql("shop"), CqlIdentifier.fromCql("item"), "off"))
                            .columnTypes(StubCassandra.describedColumns()))
                    .delay(300, TimeUnit.MILLISECONDS));
            try (CqlSession session = six.plainSession(UnaryOperator.identity())) {
                new SessionCheck().postProcessAfterInitialization(session, "cassandraSession");
                SimpleStatement write = SimpleStatement.newInstance("INSERT INTO shop.item (k) VALUES (1)");
                assertThat(WriteScope.at(7).applyTo(write, session.getContext()).getQueryTimestamp())
                        .isEqualTo(7);
            }
        }
    }
}
