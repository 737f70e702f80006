package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repairs and audits some of whose requests have no answer. */
@LongLane
class UnluckyScansIntegrationTests extends CassandraTest {

    private static final int ROWS = 40;
    private static final String TABLE = "unlucky";
    private static final UniqueConstraint EMAIL = UniqueConstraint.on(TABLE, "email");

    private final Queue<Integer> pageSizes = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS " + TABLE + " (id uuid PRIMARY KEY, email text, note text)");
        session.execute("TRUNCATE " + TABLE);
        for (int i = 0; i < ROWS; i++) {
            session.execute("INSERT INTO " + TABLE + " (id, email) VALUES (uuid(), ?)", "email" + i);
        }
    }

    @BeforeEach
    void forget() {
        pageSizes.clear();
    }

    private CqlSession failing(Predicate<BoundStatement> fails) {
        return UniqueFixture.failing(session, bound -> {
            if (isOfAPage(bound)) {
                pageSizes.add(bound.getPageSize());
            }
            return fails.test(bound);
        });
    }

    private static boolean isOfAPage(BoundStatement bound) {
        return bound.getPreparedStatement().getQuery().contains("token(");
    }

    private static boolean isOfTheRepair(BoundStatement bound) {
        return bound.getPreparedStatement().getQuery().contains("surewrite_unique_");
    }

    @Test
    void repeatsAPageAndMakesItSmaller() {
        Set<Object> asked = ConcurrentHashMap.newKeySet();
        CqlSession unlucky = failing(bound -> (isOfAPage(bound) || isOfTheRepair(bound))
                && asked.add(bound.getPreparedStatement().getQuery() + bound.getValues() + bound.getPagingState()));
        try (UniqueFixture fixture = new UniqueFixture(unlucky, ObservationRegistry.NOOP)) {
            UniqueConstraints constraints = fixture.constraints(TABLE, EMAIL);

            UniqueReport repaired = constraints.repair(TABLE);
            assertThat(repaired.rows()).isEqualTo(ROWS);
            assertThat(repaired.isValid()).isTrue();
            assertThat(pageSizes).contains(5, 2).doesNotContain(1);

            UniqueReport audited = constraints.audit(TABLE);
            assertThat(audited.rows()).isEqualTo(ROWS);
            assertThat(audited.missing()).isZero();
        }
    }

    @Test
    void endsAsItPromisesWhereNoPageComes() {
        try (UniqueFixture fixture = new UniqueFixture(
                failing(UnluckyScansIntegrationTests::isOfAPage), ObservationRegistry.NOOP, UniqueFixture.IMPATIENT)) {
            UniqueConstraints constraints = fixture.constraints(TABLE, EMAIL);
            assertThatThrownBy(() -> constraints.repair(TABLE))
                    .isInstanceOf(ClaimsUnavailableException.class)
                    .hasMessageMatching("repair of unlucky: no clear answer after \\d+ ms; calling it again is safe")
                    .hasCauseInstanceOf(DriverTimeoutException.class);
            assertThatThrownBy(() -> constraints.audit(TABLE)).isInstanceOf(ClaimsUnavailableException.class);
        }
    }

    /** The driver would go by an order of its own, perhaps to the node that has just failed. */
    @Test
    void choosesTheNodeItselfAfterAFailure() {
        Set<Object> failed = ConcurrentHashMap.newKeySet();
        Map<Object, Boolean> chosen = new ConcurrentHashMap<>();
        CqlSession unlucky = failing(bound -> {
            String query = bound.getPreparedStatement().getQuery();
            Object request = List.of(query, bound.getValues(), String.valueOf(bound.getPagingState()));
            if (!query.startsWith("SELECT") || isOfTheRepair(bound)) {
                return false;
            }
            if (failed.add(request)) {
                return true;
            }
            chosen.putIfAbsent(request, bound.getNode() != null);
            return false;
        });
        UUID id = UUID.randomUUID();
        try (UniqueFixture fixture = new UniqueFixture(unlucky, ObservationRegistry.NOOP)) {
            CqlRows rows = fixture.rows(TABLE, EMAIL);
            fixture.change(rows, fixture.write(rows, TABLE, "id", id, "email", "of " + id));
            fixture.findOwner(rows, EMAIL, "of " + id);
            fixture.delete(rows, rows.owner(Map.of(CqlIdentifier.fromInternal("id"), id)));
            fixture.constraints(TABLE, EMAIL).audit(TABLE);
        }
        assertThat(failed).hasSizeGreaterThan(ROWS);
        assertThat(chosen.keySet()).isEqualTo(failed);
        assertThat(chosen).as("the rows, their claims, and the pages").doesNotContainValue(false);
    }

    /** Of a row, not of a page. */
    @Test
    void endsAsItPromisesWhereAStepHasNoAnswer() {
        Predicate<BoundStatement> reads =
                bound -> bound.getPreparedStatement().getQuery().contains("TTL(lease)");
        try (UniqueFixture fixture =
                new UniqueFixture(failing(reads), ObservationRegistry.NOOP, UniqueFixture.IMPATIENT)) {
            UniqueConstraints constraints = fixture.constraints(TABLE, EMAIL);
            assertThatThrownBy(() -> constraints.audit(TABLE))
                    .isInstanceOf(ClaimsUnavailableException.class)
                    .hasCauseInstanceOf(DriverTimeoutException.class);
        }
    }

    @Test
    void saysThatAColumnIsGone() {
        session.execute("DROP TABLE IF EXISTS narrowed");
        session.execute("CREATE TABLE narrowed (id uuid PRIMARY KEY, email text, note text)");
        try (UniqueFixture fixture = new UniqueFixture(session, ObservationRegistry.NOOP)) {
            CqlRows rows = fixture.rows("narrowed", UniqueConstraint.on("narrowed", "email"));
            UUID id = UUID.randomUUID();
            fixture.change(rows, fixture.write(rows, "narrowed", "id", id, "email", "a"));
            session.execute("ALTER TABLE narrowed DROP note");
            assertThatThrownBy(() -> fixture.change(rows, fixture.write(rows, "narrowed", "id", id, "email", "b")))
                    .isInstanceOf(InvalidQueryException.class)
                    .hasMessageContaining("note");
        }
    }
}
