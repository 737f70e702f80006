package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.internal.core.cql.EmptyColumnDefinitions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CqlTextTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM t",
                " \t\nselect k FROM t",
                "Select",
                "/* q17 */ SELECT * FROM t",
                "-- a\n// b\nSELECT 1"
            })
    void knowsReads(String cql) {
        assertThat(CqlText.isRead(SimpleStatement.newInstance(cql))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO selected (k) VALUES (1)",
                "sel",
                "",
                "  ",
                "/* SELECT */ TRUNCATE t",
                "\"select\"",
                "'a"
            })
    void knowsWhatIsNoRead(String cql) {
        assertThat(CqlText.isRead(SimpleStatement.newInstance(cql))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t (k) VALUES (1)",
                " update t SET timestamp = 1",
                "/* USING TIMESTAMP 1 */ UPDATE t USING TTL :timestamp AND TTL : timestamp SET v = 'IF'",
                "UPDATE t SET note = 'rerun if failed', \"if\" = $$ IF $$ WHERE k = 1 // IF\n",
                "DELETE FROM t WHERE k = 1",
                "INSERT INTO t (k) VALUES (1) USING TTL 5",
                "BEGIN BATCH INSERT INTO t (k) VALUES (1) APPLY BATCH",
                "-- x\nBEGIN BATCH INSERT INTO t (k) VALUES (1) USING TIMESTAMP 5"
                        + " UPDATE t SET v = 1 WHERE k = 1 APPLY BATCH",
                "BEGIN BATCH UPDATE t SET v = 1 WHERE k = 1;"
                        + " DELETE FROM t USING TIMESTAMP 5 WHERE k = 1; APPLY BATCH"
            })
    void knowsWhatTheDriverStamps(String cql) {
        SimpleStatement write = SimpleStatement.newInstance(cql);
        assertThat(CqlText.drawsTimestamp(write)).isTrue();
        assertThat(CqlText.drawsTimestamp(BatchStatement.newInstance(DefaultBatchType.LOGGED, write)))
                .isTrue();
        assertThat(CqlText.drawsTimestamp(write.setQueryTimestamp(7))).isFalse();
        assertThat(CqlText.drawsTimestamp(
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
                "UPDATE t USING TTL ? AND TIMESTAMP ? SET v = 1 WHERE k = 1",
                "UPDATE t USING TTL /* 1 */ 5 AND\nTIMESTAMP ? SET v = 1 WHERE k = 1",
                "BEGIN BATCH USING TIMESTAMP 5 UPDATE t SET v = 1 WHERE k = 1; DELETE FROM t WHERE k = 1 APPLY BATCH",
                "BEGIN TRANSACTION UPDATE t SET v = 1 WHERE k = 1; COMMIT TRANSACTION"
            })
    void knowsWhatTheDriverDoesNotStamp(String cql) {
        assertThat(CqlText.drawsTimestamp(SimpleStatement.newInstance(cql))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET v = 1 WHERE k = 1 IF v = 2",
                "DELETE FROM t WHERE k = 1 if",
                "x IF(y)",
                "UPDATE t SET v = 1 WHERE k = 1IF v = 2",
                "'a"
            })
    void findsConditionsWhereverTheyStand(String cql) {
        assertThat(CqlText.mayBeConditional(SimpleStatement.newInstance(cql))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "UPDATE t SET gif = 1",
                "UPDATE t SET ifs = 1",
                "UPDATE t SET a_if = 1",
                "UPDATE t SET \"if\" = 'if'"
            })
    void takesNoPartOfAWordForACondition(String cql) {
        assertThat(CqlText.mayBeConditional(SimpleStatement.newInstance(cql))).isFalse();
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
        assertThat(CqlText.mayWriteSeveralPartitions(SimpleStatement.newInstance(cql)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t (k) VALUES (1)",
                "UPDATE winter SET begin_in = 1 WHERE bin = 1",
                "UPDATE t SET v = ' in ' WHERE \"in\" = 1 -- IN"
            })
    void knowsWhatWritesOnePartition(String cql) {
        assertThat(CqlText.mayWriteSeveralPartitions(SimpleStatement.newInstance(cql)))
                .isFalse();
    }

    @Test
    void takesABatchForSeveralPartitions() {
        assertThat(CqlText.mayWriteSeveralPartitions(BatchStatement.newInstance(DefaultBatchType.UNLOGGED)))
                .isTrue();
    }

    /** What names a table without its keyspace is of the one that it was prepared in, also in a batch. */
    @ParameterizedTest
    @CsvSource({
        "INSERT INTO t (k) VALUES (?), other, other, other",
        "BEGIN BATCH INSERT INTO t (k) VALUES (?); INSERT INTO t (k) VALUES (?); APPLY BATCH, other, other, other",
        "BEGIN BATCH INSERT INTO a.t (k) VALUES (?); INSERT INTO b.t (k) VALUES (?); APPLY BATCH, a, b, mine"
    })
    void knowsTheKeyspaceOfWhatIsPrepared(String cql, String first, String second, String expected) {
        ColumnDefinition one = column(first);
        ColumnDefinition two = column(second);
        ColumnDefinitions variables = mock();
        when(variables.size()).thenReturn(2);
        when(variables.get(0)).thenReturn(one);
        when(variables.iterator()).thenAnswer(call -> List.of(one, two).iterator());
        PreparedStatement prepared = mock();
        when(prepared.getQuery()).thenReturn(cql);
        when(prepared.getVariableDefinitions()).thenReturn(variables);
        when(prepared.getResultSetDefinitions()).thenReturn(EmptyColumnDefinitions.INSTANCE);
        BoundStatement bound = mock();
        when(bound.getPreparedStatement()).thenReturn(prepared);

        assertThat(CqlText.here(bound, CqlIdentifier.fromCql("mine"))).isEqualTo(CqlIdentifier.fromCql(expected));
    }

    private static ColumnDefinition column(String keyspace) {
        ColumnDefinition column = mock();
        when(column.getKeyspace()).thenReturn(CqlIdentifier.fromCql(keyspace));
        return column;
    }
}
