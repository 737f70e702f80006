package io.surewrite.schema;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static io.surewrite.StubCassandra.when;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl.PrimeBuilder;
import io.surewrite.StubCassandra;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SchemaCatalogTests {

    private static final String KEYSPACE = "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?";
    private static final PrimeBuilder SILENCE = when(KEYSPACE).then(noResult());
    private static final PrimeBuilder FOUND = when(KEYSPACE)
            .then(rows().row("replication", Map.of())
                    .columnTypes("replication", "map<varchar,varchar>")
                    .build());

    private static StubCassandra cassandra;
    private static CqlSession session;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(3);
        session = cassandra.session(StubCassandra::impatient);
    }

    @AfterAll
    static void stop() {
        session.close();
        cassandra.close();
    }

    @AfterEach
    void forget() {
        cassandra.forget();
    }

    @Test
    void asksTheNextNodeWhenOneDoesNotAnswer() {
        cassandra.answerInTurn(SILENCE, FOUND);

        assertThat(new SchemaCatalog(session).replication(CqlIdentifier.fromInternal("shop")))
                .isNotNull();
        assertThat(cassandra.sent(KEYSPACE)).hasSize(2);
    }

    /** A node that has not heard of a table says that it is missing, at whatever consistency. */
    @Test
    void waitsForTheNodesThatHaveNotHeardOfATableYet() {
        PrimeBuilder missing = when(SchemaCatalog.TABLE).then(rows().columnTypes("default_time_to_live", "int"));
        PrimeBuilder there = when(SchemaCatalog.TABLE)
                .then(rows().row("default_time_to_live", 0)
                        .columnTypes("default_time_to_live", "int")
                        .build());
        cassandra.prime(when(SchemaCatalog.COLUMNS)
                .then(rows().row("column_name", "id", "kind", "partition_key", "position", 0, "type", "int")
                        .columnTypes(
                                "column_name", "varchar", "kind", "varchar", "position", "int", "type", "varchar")));

        cassandra.answerInTurn(missing, there);
        assertThat(table()).isEqualTo(new TableShape(Map.of("id", "int"), "(id)", 0));
        assertThat(cassandra.sent(SchemaCatalog.TABLE))
                .as("before and after the agreement")
                .hasSize(2);

        cassandra.forget();
        cassandra.answerInTurn(missing);
        assertThat(table()).isNull();
        assertThat(cassandra.sent(SchemaCatalog.TABLE)).hasSize(2);
    }

    private static TableShape table() {
        return new SchemaCatalog(session)
                .table(new TableDefinition(
                        "item",
                        CqlIdentifier.fromInternal("shop"),
                        CqlIdentifier.fromInternal("item"),
                        "",
                        new TableShape(Map.of("id", "int"), "(id)", 0)));
    }
}
