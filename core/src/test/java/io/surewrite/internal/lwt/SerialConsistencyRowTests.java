package io.surewrite.internal.lwt;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.invalid;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.simulacron.common.codec.ConsistencyLevel;
import com.datastax.oss.simulacron.common.request.Query;
import com.datastax.oss.simulacron.common.result.Result;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl.PrimeBuilder;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl.RowBuilder;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.StubCassandra;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Duration;
import java.util.List;
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

    private static final String SELECT = "SELECT level FROM shop.claim WHERE id = 'x'";

    private static StubCassandra cassandra;
    private static CqlSession session;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(1);
        session = cassandra.session();
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
    void refusesThoseWhoUseAnother() {
        cassandra.prime(insert().then(heldAt("LOCAL_SERIAL in paris")));
        assertThatExceptionOfType(InvalidConfigurationException.class)
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

    /** Also what is written at LOCAL_SERIAL: of two first processes one wins. */
    @Test
    void decidesTheRowOverAllDataCentres() {
        cassandra.prime(insert().then(row("[applied]", "boolean", true)));
        assertThatCode(this::requireLocally).doesNotThrowAnyException();
        assertThat(cassandra.sent(ROW.insert())).singleElement().satisfies(sent -> {
            assertThat(sent.getConsistency()).isEqualTo(ConsistencyLevel.QUORUM);
            assertThat(sent.getSerialConsistency()).isEqualTo(ConsistencyLevel.SERIAL);
        });
    }

    @Test
    void letsThoseInWhoAreInTheSameDataCentre() {
        cassandra.prime(insert().then(heldAt("LOCAL_SERIAL in " + cassandra.localDatacenter())));
        assertThatCode(this::requireLocally).doesNotThrowAnyException();
    }

    @Test
    void refusesThoseWhoAreInAnotherDataCentre() {
        cassandra.prime(insert().then(heldAt("LOCAL_SERIAL in paris")));
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(this::requireLocally)
                .withMessageContaining("shop.claim are decided in data centre paris alone")
                .withMessageContaining("values are taken twice")
                .satisfies(refused -> assertThat(refused.fix())
                        .contains(
                                "UPDATE shop.claim SET level = 'LOCAL_SERIAL in %s' WHERE id = 'x' IF level = 'LOCAL_SERIAL in paris';"
                                        .formatted(cassandra.localDatacenter())));
    }

    /** Other data centres are away, or the level is forbidden. */
    @Test
    void readsWhatItKnowsWhereItCannotWrite() {
        for (Result away : List.of(
                unavailable(ConsistencyLevel.SERIAL, 4, 3),
                invalid("Provided value SERIAL is not allowed for write_consistency_levels"))) {
            cassandra.forget();
            cassandra.prime(insert().then(away));
            cassandra.prime(PrimeDsl.when(new Query(SELECT)).then(row("level", "varchar", "LOCAL_SERIAL in paris")));
            assertThatExceptionOfType(InvalidConfigurationException.class)
                    .isThrownBy(this::requireLocally)
                    .withMessageContaining("paris alone");
        }
    }

    @Test
    void refusesADriverThatFailsOverToDataCentresThatDecideAlone() {
        try (CqlSession failingOver = cassandra.session(
                config -> locally(config).withInt(LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 1))) {
            assertThatExceptionOfType(InvalidConfigurationException.class)
                    .isThrownBy(() -> require(failingOver))
                    .withMessageContaining("nodes of several")
                    .satisfies(exception -> assertThat(exception.fix()).contains("max-nodes-per-remote-dc = 0"));
        }
    }

    private void require() {
        require(session);
    }

    private void requireLocally() {
        try (CqlSession local = cassandra.session(SerialConsistencyRowTests::locally)) {
            require(local);
        }
    }

    private static void require(CqlSession session) {
        ROW.require(session, SettlingConditionalWrites.on(session, ObservationRegistry.NOOP), Duration.ofMillis(200));
    }

    private static ProgrammaticDriverConfigLoaderBuilder locally(ProgrammaticDriverConfigLoaderBuilder config) {
        return config.startProfile(ConditionalWrites.PROFILE)
                .withString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY, "LOCAL_SERIAL")
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_QUORUM")
                .endProfile();
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
