package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import io.surewrite.write.PartlyDoneException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The deletion of a whole table, ended in the middle. */
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
        UniqueFixture fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        assertThat(fixture.guard()).as("makes the tables").isNotNull();
        List.of(TABLE, "surewrite_claim").forEach(full -> session.execute("TRUNCATE " + full));
    }

    private static void insert(UniqueFixture fixture, int number) {
        CqlRows rows = fixture.rows(TABLE, EMAIL);
        fixture.insert(rows, fixture.write(rows, TABLE, "id", UUID.randomUUID(), "email", "e" + number));
    }

    @Test
    void saysHowFarItCameAndGoesOnFromThere() {
        AtomicInteger reads = new AtomicInteger(Integer.MAX_VALUE);
        UniqueFixture fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        UniqueFixture ending = new UniqueFixture(ending(reads), ObservationRegistry.NOOP);
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
                            .isBetween((long) ROWS - partly.done() - partly.undecided(), (long) ROWS - partly.done());
                });

        reads.set(Integer.MAX_VALUE);
        ended.delete();
        assertThat(count(TABLE)).isZero();
        assertThat(count("surewrite_claim")).isZero();
    }

    private static long count(String table) {
        return session.execute("SELECT count(*) FROM " + table).one().getLong(0);
    }

    /** Ends with the reads of rows. */
    private static CqlSession ending(AtomicInteger reads) {
        return Wire.between(session, (number, statement, request) -> {
            if (statement instanceof BoundStatement bound
                    && bound.getPreparedStatement().getQuery().startsWith("SELECT")
                    && reads.getAndDecrement() <= 0) {
                throw new IllegalStateException("no more reads");
            }
            return request.get();
        });
    }
}
