package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.cql.PartlyDoneException;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.rows.CqlRows;
import io.surewrite.unique.scan.UniqueScanSettings;
import io.surewrite.unique.scan.WholeTable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deletion of a whole table, ended in the middle, and what is left of one that was truncated. */
class WholeTableIntegrationTests extends CassandraTest {

    private static final int ROWS = 40;
    private static final String TABLE = "emptied";
    private static final UniqueConstraint EMAIL = UniqueConstraint.on(TABLE, "email");
    private static final UniqueScanSettings SCANS = new UniqueScanSettings(4, 0, 5, 4);

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS " + TABLE + " (id uuid PRIMARY KEY, email text)");
    }

    /** It counts all there is, so nothing of another test may be left. */
    @BeforeEach
    void empty() {
        try (UniqueFixture fixture = new UniqueFixture(session, ObservationRegistry.NOOP)) {
            assertThat(fixture.guard()).as("makes the tables").isNotNull();
        }
        List.of(TABLE, "surewrite_claim").forEach(full -> session.execute("TRUNCATE " + full));
    }

    private static void insert(UniqueFixture fixture, int number) {
        CqlRows rows = fixture.rows(TABLE, EMAIL);
        fixture.insert(rows, fixture.write(rows, TABLE, "id", UUID.randomUUID(), "email", "e" + number));
    }

    /** Whatever a page holds: more than there is, or less. */
    @ParameterizedTest
    @ValueSource(ints = {100, 5})
    void forgetsTheClaimsOfItsRowsAndNoOthers(int page) {
        try (UniqueFixture fixture = new UniqueFixture(session, ObservationRegistry.NOOP)) {
            for (int i = 0; i < 12; i++) {
                insert(fixture, i);
            }
            CqlRows rows = fixture.rows(TABLE, EMAIL);
            assertThat(fixture.store()
                            .fence(WantedValue.ofRow(rows, "a row"), new Claim("a row", UUID.randomUUID(), null, 1))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(ClaimAnswer.Done.class);
            UniqueConstraint other = UniqueConstraint.on("of another table", "email");
            fixture.guard().claim(other, "an owner", "e1");
            assertThat(count("surewrite_claim")).isEqualTo(12 + 1 + 1);
            session.execute("TRUNCATE " + TABLE);

            new WholeTable(fixture.guard(), rows, new UniqueScanSettings(4, 0, page, 4)).forgetClaims(Set.of(TABLE));

            assertThat(session.execute("SELECT constraint_name FROM surewrite_claim")
                            .all())
                    .extracting(row -> row.getString(0))
                    .contains(other.name())
                    .allMatch(name -> name.contains(other.name()));
            insert(fixture, 1);
        }
    }

    @Test
    void saysThatClaimsCouldNotBeForgotten() {
        AtomicInteger reads = new AtomicInteger(Integer.MAX_VALUE);
        try (UniqueFixture fixture = new UniqueFixture(ending(reads), ObservationRegistry.NOOP)) {
            WholeTable whole = new WholeTable(fixture.guard(), fixture.rows(TABLE, EMAIL), SCANS);
            reads.set(0);
            assertThatIllegalStateException()
                    .isThrownBy(() -> whole.forgetClaims(Set.of(TABLE)))
                    .withMessage("no more reads");
        }
    }

    @Test
    void saysHowFarItCameAndGoesOnFromThere() {
        AtomicInteger reads = new AtomicInteger(Integer.MAX_VALUE);
        try (UniqueFixture fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
                UniqueFixture ending = new UniqueFixture(ending(reads), ObservationRegistry.NOOP)) {
            for (int i = 0; i < ROWS; i++) {
                insert(fixture, i);
            }
            WholeTable ended = new WholeTable(ending.guard(), ending.rows(TABLE, EMAIL), SCANS);
            reads.set(0);
            assertThatIllegalStateException().isThrownBy(ended::delete).withMessage("no more reads");
            assertThat(count(TABLE)).as("nothing has happened").isEqualTo(ROWS);

            reads.set(20);
            assertThatExceptionOfType(PartlyDoneException.class)
                    .isThrownBy(ended::delete)
                    .withMessageContaining("calling it again goes on")
                    .satisfies(partly -> {
                        assertThat(partly.done()).isBetween(1, 20);
                        assertThat(count(TABLE))
                                .isBetween(
                                        (long) ROWS - partly.done() - partly.undecided(), (long) ROWS - partly.done());
                    });

            reads.set(Integer.MAX_VALUE);
            ended.delete();
            assertThat(count(TABLE)).isZero();
            assertThat(count("surewrite_claim")).isZero();
        }
    }

    private static long count(String table) {
        return session.execute("SELECT count(*) FROM " + table).one().getLong(0);
    }

    /** Ends with the reads of rows. */
    private static CqlSession ending(AtomicInteger reads) {
        return (CqlSession) Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("execute")
                            && arguments[0] instanceof BoundStatement bound
                            && bound.getPreparedStatement().getQuery().startsWith("SELECT")
                            && reads.getAndDecrement() <= 0) {
                        throw new IllegalStateException("no more reads");
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }
}
