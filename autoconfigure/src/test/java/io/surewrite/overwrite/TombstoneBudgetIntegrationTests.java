package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.overwrite.TombstoneBudget.TombstoneCount;
import io.surewrite.test.CassandraTest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TombstoneBudgetIntegrationTests extends CassandraTest {

    @BeforeAll
    static void writeTombstones() {
        session.execute("CREATE TABLE heap (p int, c int, a text, b text, PRIMARY KEY (p, c))");
        for (int c = 0; c < 10; c++) {
            session.execute("INSERT INTO heap (p, c, a, b) VALUES (1, ?, 'a', null)", c);
        }
        session.execute("INSERT INTO heap (p, c, a, b) VALUES (2, 1, 'a', 'b')");
    }

    @Test
    void staysSilentWithinTheBudget() {
        TombstoneBudget budget = TombstoneBudget.in(session);

        budget.assertThat("SELECT * FROM heap WHERE p = 1").readsAtMost(10);
        budget.assertThat("SELECT * FROM heap WHERE p = ?", 2).readsAtMost(0);
        budget.assertThat("SELECT * FROM heap WHERE p = 404").readsAtMost(0);
    }

    @Test
    void failsBeyondTheBudgetAndSaysWhatWasRead() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> TombstoneBudget.in(session)
                        .assertThat("SELECT * FROM heap WHERE p = 1")
                        .readsAtMost(9))
                .withMessage("Expected a query to read at most 9 tombstones, but it read 10 with 10 live rows");
    }

    @Test
    void countsAllPages() {
        assertThat(TombstoneBudget.in(session)
                        .assertThat(SimpleStatement.newInstance("SELECT * FROM heap WHERE p = 1")
                                .setPageSize(3))
                        .count())
                .isEqualTo(new TombstoneCount(10, 10));
    }
}
