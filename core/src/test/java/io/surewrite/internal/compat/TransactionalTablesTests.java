package io.surewrite.internal.compat;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.StubCassandra;
import io.surewrite.write.FailureKind;
import io.surewrite.write.TransactionalTableException;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteScope;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which writes must not be sent to a server that has tables written by Accord. */
class TransactionalTablesTests {

    private static StubCassandra six;
    private static CqlSession session;

    @BeforeAll
    static void start() {
        six = new StubCassandra("6.0.0");
        six.prime(StubCassandra.when(TransactionalTables.SCHEMA)
                .then(rows().row(described("shop", "item", "full"))
                        .row(described("shop", "plain", "off"))
                        .row(described("Other", "Mixed", "mixed_reads"))
                        .columnTypes(StubCassandra.describedColumns()))
                .delay(300, TimeUnit.MILLISECONDS));
        session = six.plainSession(UnaryOperator.identity());
    }

    @AfterAll
    static void stop() {
        session.close();
        six.close();
    }

    private static Object[] described(String keyspace, String table, String mode) {
        return StubCassandra.described(CqlIdentifier.fromInternal(keyspace), CqlIdentifier.fromInternal(table), mode);
    }

    private static @Nullable TransactionalTableException refusal(Statement<?> write) {
        return catchThrowableOfType(
                TransactionalTableException.class, () -> WriteScope.at(1).applyTo(write, session.getContext()));
    }

    private static void awaitModes() {
        assertThat(TransactionalTables.of(session.getContext()).await()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO shop.item (id) VALUES (1)",
                "DELETE FROM shop /* ? */ . /* ? */ item WHERE id = 1",
                "-- of\nINSERT INTO shop.item (note) VALUES ('rerun if failed')",
                "INSERT INTO \"Other\".\"Mixed\" (id) VALUES (1)",
                "BEGIN BATCH INSERT INTO shop.plain (id) VALUES (1); DELETE FROM shop.item WHERE id = 1; APPLY BATCH"
            })
    void refusesTextsOnThem(String cql) {
        awaitModes();
        TransactionalTableException refused = refusal(SimpleStatement.newInstance(cql));
        assertThat(refused).hasMessageContainingAll("has transactional_mode = '", "Fix: ALTER TABLE");
        assertThat(WriteFailures.ofPlain(refused)).isEqualTo(FailureKind.WRONG_STATEMENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO shop.plain (id) VALUES (1)",
                "INSERT INTO \"Shop\".item (id) VALUES (1)",
                "INSERT INTO item (id) VALUES (1)", // the session has no keyspace: not that of the table
                "UPDATE shop.plain SET item = 'shop.item' WHERE id = 1 -- shop.item",
                "/* q17 */ SELECT * FROM shop.item",
                "UPDATE shop.item SET v = 1 WHERE id = 1 IF EXISTS"
            })
    void leavesTheRestAlone(String cql) {
        awaitModes();
        assertThat(refusal(SimpleStatement.newInstance(cql))).isNull();
    }

    @Test
    void looksIntoBatchesAndAtTheStatementsKeyspace() {
        awaitModes();
        SimpleStatement write =
                SimpleStatement.newInstance("INSERT INTO item (id) VALUES (1)").setKeyspace("shop");
        assertThat(refusal(write)).isNotNull();
        assertThat(refusal(BatchStatement.newInstance(BatchType.LOGGED)
                        .add(SimpleStatement.newInstance("INSERT INTO shop.plain (id) VALUES (1)"))
                        .add(write)))
                .isNotNull();
    }

    @Test
    void refusesForAMomentWhileNothingIsKnown() {
        try (CqlSession young = six.plainSession(UnaryOperator.identity())) {
            SimpleStatement write = SimpleStatement.newInstance("INSERT INTO shop.plain (id) VALUES (1)");
            TransactionalTableException refused = catchThrowableOfType(
                    TransactionalTableException.class, () -> WriteScope.at(1).applyTo(write, young.getContext()));
            assertThat(WriteFailures.ofPlain(refused))
                    .as("it may be tried again")
                    .isEqualTo(FailureKind.NOT_APPLIED);
            assertThat(TransactionalTables.of(young.getContext()).await()).isTrue();
            assertThatCode(() -> WriteScope.at(1).applyTo(write, young.getContext()))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void asksNoServerBeforeVersionSix() {
        try (StubCassandra five = new StubCassandra("5.0.9");
                CqlSession older = five.plainSession(UnaryOperator.identity())) {
            assertThatCode(() -> WriteScope.at(1)
                            .applyTo(
                                    SimpleStatement.newInstance("INSERT INTO shop.item (id) VALUES (1)"),
                                    older.getContext()))
                    .doesNotThrowAnyException();
            assertThat(TransactionalTables.of(older.getContext()).isOptionKnown())
                    .isFalse();
            assertThat(five.sent(TransactionalTables.SCHEMA)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "off, none, -",
                "full, none, transactional_mode = 'full'",
                "mixed_reads, off, transactional_mode = 'mixed_reads'",
                "off, full, transactional_migration_from = 'full'"
            })
    void readsTheModeAndTheWayBack(String mode, String migration, @Nullable String expected) {
        assertThat(TransactionalTables.mode(
                        "CREATE TABLE t (k int PRIMARY KEY) WITH comment = 'transactional_mode = ''test''' AND transactional_mode = '%s'\n AND transactional_migration_from='%s'"
                                .formatted(mode, migration)))
                .isEqualTo(expected);
    }
}
