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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CqlTextTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "reads           | /* q17 */ select k FROM t",
                "reads           | `-- a\n// b\nSELECT 1`",
                "neither         | \"select\"",
                "neither         | /* SELECT */ TRUNCATE t",
                "neither         | CREATE TABLE t (k int PRIMARY KEY)",
                "neither         | `UPDATE t USING TTL /* 1 */ 5 AND\nTIMESTAMP ? SET v = 1 WHERE k = 1`",
                "drawn           | INSERT INTO selected (k) VALUES (1) USING TTL 5",
                "drawn           | update t SET timestamp = 1, gif = 1, ifs = 1, a_if = 1 WHERE bin = 1",
                "drawn           | /* USING TIMESTAMP 1 */ UPDATE t USING TTL :timestamp AND TTL : timestamp SET v = 'IF'",
                "drawn           | UPDATE t SET note = ' if in ', \"if\" = $$ IF $$ WHERE \"in\" = 1 // IF IN",
                "drawn, several  | UPDATE t SET v = 1 WHERE k in(1,2)",
                "drawn, several  | `\n begin unlogged batch INSERT INTO t (k) VALUES (1) APPLY BATCH`",
                "drawn, several  | BEGIN BATCH INSERT INTO t (k) VALUES (1) USING TIMESTAMP 5 UPDATE t SET v = 1 WHERE k = 1 APPLY BATCH",
                "drawn, several  | BEGIN BATCH UPDATE t SET v = 1 WHERE k = 1; DELETE FROM t USING TIMESTAMP 5 WHERE k = 1; APPLY BATCH",
                "several         | BEGIN BATCH USING TIMESTAMP 5 UPDATE t SET v = 1 WHERE k = 1; DELETE FROM t WHERE k = 1 APPLY BATCH",
                "conditional, several | BEGIN TRANSACTION UPDATE t SET v = 1 WHERE k = 1; COMMIT TRANSACTION",
                "conditional     | INSERT INTO t (k) VALUES (1) IF NOT EXISTS",
                "conditional     | UPDATE t SET v = 1 WHERE k = 1IF v = 2",
                "conditional     | x IF(y)",
                "conditional     | 'a"
            })
    void tellsWhatATextSays(String expected, String cql) {
        SimpleStatement statement = SimpleStatement.newInstance(cql);
        Map<String, Boolean> facts = new LinkedHashMap<>();
        facts.put("reads", CqlText.isRead(statement));
        facts.put("drawn", CqlText.drawsTimestamp(statement));
        facts.put("conditional", CqlText.mayBeConditional(statement));
        facts.put("several", CqlText.mayWriteSeveralPartitions(statement));
        facts.values().removeIf(fact -> !fact);
        assertThat(facts.isEmpty() ? "neither" : String.join(", ", facts.keySet()))
                .isEqualTo(expected);
    }

    @Test
    void looksIntoBatchesForWhatTheDriverStamps() {
        SimpleStatement write = SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1)");
        BatchStatement batch = BatchStatement.newInstance(DefaultBatchType.LOGGED, write);
        assertThat(CqlText.drawsTimestamp(batch)).isTrue();
        assertThat(CqlText.mayWriteSeveralPartitions(batch)).isTrue();
        assertThat(CqlText.drawsTimestamp(write.setQueryTimestamp(7))).isFalse();
        assertThat(CqlText.drawsTimestamp(
                        BatchStatement.newInstance(DefaultBatchType.LOGGED, write.setQueryTimestamp(7))))
                .isFalse();
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
