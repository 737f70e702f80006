package io.surewrite.cql.settle;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.simulacron.common.codec.ConsistencyLevel;
import com.datastax.oss.simulacron.common.request.Query;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl.PrimeBuilder;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl.RowBuilder;
import io.surewrite.StubCassandra;
import io.surewrite.cql.SerialConsistencyException;
import io.surewrite.cql.WriteListener;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SerialConsistencyRowTests {

    private static final SerialConsistencyRow ROW = new SerialConsistencyRow(
            "shop.claim",
            "INSERT INTO claim (id, level) VALUES ('x', ?) IF NOT EXISTS",
            "level",
            "id = 'x'",
            "values are taken twice");

    private static StubCassandra cassandra;
    private static CqlSession session;
    private static ScheduledExecutorService scheduler;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(1);
        session = cassandra.session();
        scheduler = Executors.newSingleThreadScheduledExecutor();
    }

    @AfterAll
    static void stop() {
        session.close();
        scheduler.shutdownNow();
        cassandra.close();
    }

    @AfterEach
    void forget() {
        cassandra.forget();
    }

    @Test
    void letsTheFirstOneIn() {
        cassandra.prime(insert().then(row("[applied]", "boolean", true)));
        assertThatCode(this::require).doesNotThrowAnyException();
        assertThat(cassandra.sent(ROW.insert())).hasSize(1);
    }

    @Test
    void letsThoseInWhoUseTheSameLevel() {
        cassandra.prime(insert().then(heldAt("SERIAL")));
        assertThatCode(this::require).doesNotThrowAnyException();
    }

    @Test
    void refusesThoseWhoUseAnother() {
        cassandra.prime(insert().then(heldAt("LOCAL_SERIAL")));
        assertThatExceptionOfType(SerialConsistencyException.class)
                .isThrownBy(this::require)
                .withMessageContaining("shop.claim are decided at LOCAL_SERIAL")
                .withMessageContaining("configured for SERIAL")
                .withMessageContaining("values are taken twice")
                .satisfies(refused -> assertThat(refused.fix())
                        .contains("surewrite.conditional.serial-consistency=local-serial")
                        .contains("DELETE FROM shop.claim WHERE id = 'x' IF EXISTS;"));
    }

    @Test
    void onlyWarnsWithoutAClearAnswer() {
        cassandra.prime(insert().then(unavailable(ConsistencyLevel.SERIAL, 2, 1)));
        assertThatCode(this::require).doesNotThrowAnyException();
        assertThat(cassandra.sent(ROW.insert())).isNotEmpty();
    }

    private void require() {
        ROW.require(
                session, SettlingConditionalWrites.on(session, scheduler, WriteListener.NONE), Duration.ofMillis(200));
    }

    private static PrimeBuilder insert() {
        return PrimeDsl.when(new Query(ROW.insert()));
    }

    private static RowBuilder row(String name, String type, Object value) {
        return rows().row(name, value).columnTypes(name, type);
    }

    private static RowBuilder heldAt(String level) {
        return rows().row("[applied]", false, "level", level).columnTypes("[applied]", "boolean", "level", "varchar");
    }
}
