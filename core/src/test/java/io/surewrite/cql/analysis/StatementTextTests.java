package io.surewrite.cql.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementTextTests {

    @ParameterizedTest
    @ValueSource(strings = {"SELECT * FROM t", " \t\nselect k FROM t", "Select"})
    void knowsReads(String cql) {
        assertThat(StatementText.isRead(SimpleStatement.newInstance(cql))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT INTO selected (k) VALUES (1)", "sel", "", "  "})
    void knowsWhatIsNoRead(String cql) {
        assertThat(StatementText.isRead(SimpleStatement.newInstance(cql))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t (k) VALUES (1)",
                " update t SET timestamp = 1",
                "DELETE FROM t WHERE k = 1",
                "INSERT INTO t (k) VALUES (1) USING TTL 5",
                "BEGIN BATCH INSERT INTO t (k) VALUES (1) APPLY BATCH"
            })
    void knowsWhatTheDriverStamps(String cql) {
        SimpleStatement write = SimpleStatement.newInstance(cql);
        assertThat(StatementText.drawsTimestamp(write)).isTrue();
        assertThat(StatementText.drawsTimestamp(BatchStatement.newInstance(DefaultBatchType.LOGGED, write)))
                .isTrue();
        assertThat(StatementText.drawsTimestamp(write.setQueryTimestamp(7))).isFalse();
        assertThat(StatementText.drawsTimestamp(
                        BatchStatement.newInstance(DefaultBatchType.LOGGED, write.setQueryTimestamp(7))))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM t",
                "CREATE TABLE t (k int PRIMARY KEY)",
                "TRUNCATE t",
                "INSERT INTO t (k) VALUES (1) IF NOT EXISTS",
                "UPDATE t USING TIMESTAMP 5 SET v = 1 WHERE k = 1",
                "UPDATE t USING TTL ? AND TIMESTAMP ? SET v = 1 WHERE k = 1"
            })
    void knowsWhatTheDriverDoesNotStamp(String cql) {
        assertThat(StatementText.drawsTimestamp(SimpleStatement.newInstance(cql)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE t SET v = 1 WHERE k = 1 IF v = 2", "DELETE FROM t WHERE k = 1 if", "x IF(y)"})
    void findsConditionsWhereverTheyStand(String cql) {
        assertThat(StatementText.mayBeConditional(SimpleStatement.newInstance(cql)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"if", "", "UPDATE t SET gif = 1", "UPDATE t SET ifs = 1", "UPDATE t SET a_if = 1"})
    void takesNoPartOfAWordForACondition(String cql) {
        assertThat(StatementText.mayBeConditional(SimpleStatement.newInstance(cql)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM t WHERE k IN (1, 2)",
                "UPDATE t SET v = 1 WHERE k in(1,2)",
                "BEGIN BATCH INSERT INTO t (k) VALUES (1) APPLY BATCH",
                "\n begin unlogged batch INSERT INTO t (k) VALUES (1) APPLY BATCH"
            })
    void knowsWhatMayWriteSeveralPartitions(String cql) {
        assertThat(StatementText.mayWriteSeveralPartitions(SimpleStatement.newInstance(cql)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT INTO t (k) VALUES (1)", "UPDATE winter SET begin_in = 1 WHERE bin = 1"})
    void knowsWhatWritesOnePartition(String cql) {
        assertThat(StatementText.mayWriteSeveralPartitions(SimpleStatement.newInstance(cql)))
                .isFalse();
    }

    @Test
    void takesABatchForSeveralPartitions() {
        assertThat(StatementText.mayWriteSeveralPartitions(BatchStatement.newInstance(DefaultBatchType.UNLOGGED)))
                .isTrue();
    }
}
