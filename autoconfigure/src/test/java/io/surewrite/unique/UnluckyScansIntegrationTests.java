package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Repairs and audits some of whose requests have no answer. */
@LongLane
class UnluckyScansIntegrationTests extends CassandraTest {

    private static final int ROWS = 40;
    private static final String TABLE = "unlucky";
    private static final UniqueConstraint EMAIL = UniqueConstraint.on(TABLE, "email");

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS " + TABLE + " (id uuid PRIMARY KEY, email text, note text)");
        session.execute("TRUNCATE " + TABLE);
        for (int i = 0; i < ROWS; i++) {
            session.execute("INSERT INTO " + TABLE + " (id, email) VALUES (uuid(), ?)", "email" + i);
        }
    }

    private CqlSession failing(Predicate<BoundStatement> fails) {
        return UniqueFixture.failing(session, fails);
    }

    private static boolean isOfAPage(BoundStatement bound) {
        return bound.getPreparedStatement().getQuery().contains("token(");
    }

    @Test
    void repeatsAPageAndMakesItSmaller() {
        Queue<Integer> pageSizes = new ConcurrentLinkedQueue<>();
        Set<Object> asked = ConcurrentHashMap.newKeySet();
        CqlSession unlucky = failing(bound -> {
            if (isOfAPage(bound)) {
                pageSizes.add(bound.getPageSize());
            }
            String query = bound.getPreparedStatement().getQuery();
            return (isOfAPage(bound) || query.contains("surewrite_unique_"))
                    && asked.add(query + bound.getValues() + bound.getPagingState());
        });
        UniqueFixture fixture = new UniqueFixture(unlucky, ObservationRegistry.NOOP);
        UniqueConstraints constraints = fixture.constraints(TABLE, EMAIL);

        UniqueReport repaired = constraints.repair(TABLE);
        assertThat(repaired.rows()).isEqualTo(ROWS);
        assertThat(repaired.isValid()).isTrue();
        assertThat(pageSizes).contains(5, 2).doesNotContain(1);

        UniqueReport audited = constraints.audit(TABLE);
        assertThat(audited.rows()).isEqualTo(ROWS);
        assertThat(audited.missing()).isZero();
    }

    @Test
    void endsAsItPromisesWhereNoPageComes() {
        UniqueFixture fixture = new UniqueFixture(
                failing(UnluckyScansIntegrationTests::isOfAPage), ObservationRegistry.NOOP, UniqueFixture.IMPATIENT);
        UniqueConstraints constraints = fixture.constraints(TABLE, EMAIL);
        assertThatThrownBy(() -> constraints.repair(TABLE))
                .isInstanceOf(ClaimsUnavailableException.class)
                .hasMessageMatching("repair of unlucky: no clear answer after \\d+ ms; calling it again is safe")
                .hasCauseInstanceOf(DriverTimeoutException.class);
        assertThatThrownBy(() -> constraints.audit(TABLE)).isInstanceOf(ClaimsUnavailableException.class);
    }
}
