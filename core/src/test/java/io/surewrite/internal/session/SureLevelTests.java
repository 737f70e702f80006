package io.surewrite.internal.session;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_TIMEOUT;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.StubCassandra;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** Which level sure statements get, and what the application has chosen instead. */
class SureLevelTests {

    private static final String WRITE = "INSERT INTO t (k) VALUES (1)";
    private static final SimpleStatement STATEMENT = SimpleStatement.newInstance(WRITE);

    private static final List<CqlSession> SESSIONS = new ArrayList<>();

    private static StubCassandra cassandra;

    /** Nobody has chosen a level, but in the profile "weak"; the profile "slow" is about something else. */
    private static CqlSession silent;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(1);
        silent = opened(cassandra.plainSession(config -> config.startProfile("weak")
                .withString(REQUEST_CONSISTENCY, "LOCAL_ONE")
                .endProfile()
                .startProfile("slow")
                .withDuration(REQUEST_TIMEOUT, Duration.ofSeconds(10))
                .endProfile()));
    }

    private static CqlSession opened(CqlSession session) {
        SESSIONS.add(session);
        return session;
    }

    @AfterAll
    static void stop() {
        SESSIONS.parallelStream().forEach(CqlSession::close); // each waits for a while
        cassandra.close();
    }

    @AfterEach
    void forget() {
        cassandra.forget();
    }

    private static @Nullable ConsistencyLevel level(CqlSession session, Statement<?> statement) {
        return SureLevel.of(session).applyTo(statement).getConsistencyLevel();
    }

    @Test
    void isAMajorityWhereNobodyHasChosen() {
        assertThat(level(silent, STATEMENT)).isEqualTo(LOCAL_QUORUM);
        assertThat(level(silent, STATEMENT.setExecutionProfileName("slow"))).isEqualTo(LOCAL_QUORUM);
        assertThat(level(silent, STATEMENT.setExecutionProfileName("no such profile")))
                .isEqualTo(LOCAL_QUORUM);
        assertThat(level(silent, BatchStatement.newInstance(DefaultBatchType.LOGGED, STATEMENT)))
                .isEqualTo(LOCAL_QUORUM);
    }

    @Test
    void leavesWhatTheStatementOrItsProfileChooses() {
        assertThat(level(silent, STATEMENT.setConsistencyLevel(LOCAL_ONE))).isEqualTo(LOCAL_ONE);
        assertThat(level(silent, STATEMENT.setExecutionProfileName("weak"))).isNull();
        assertThat(level(
                        silent,
                        STATEMENT.setExecutionProfile(
                                silent.getContext().getConfig().getProfile("weak"))))
                .isNull();
        assertThat(level(
                        silent,
                        STATEMENT.setExecutionProfile(silent.getContext()
                                .getConfig()
                                .getDefaultProfile()
                                .withString(REQUEST_CONSISTENCY, "ALL"))))
                .isNull();
        assertThat(SureLevel.of(silent).weakChoices())
                .singleElement()
                .asString()
                .startsWith("LOCAL_ONE (profiles.\"weak\".basic.request.consistency, of ");
    }

    @Test
    void goesByTheValueWhereAConfigurationTellsNoOrigins() {
        OptionsMap options = OptionsMap.driverDefaults();
        CqlSession mapped = opened(session(options));
        assertThat(level(mapped, STATEMENT)).isEqualTo(LOCAL_QUORUM);
        options.put(TypedDriverOption.REQUEST_CONSISTENCY, "TWO");
        assertThat(level(opened(session(options)), STATEMENT)).isNull();
    }

    private static CqlSession session(OptionsMap options) {
        options.put(TypedDriverOption.PROTOCOL_VERSION, "V4");
        return CqlSession.builder()
                .addContactPoint(cassandra.contactPoint())
                .withLocalDatacenter(cassandra.localDatacenter())
                .withConfigLoader(DriverConfigLoader.fromMap(options))
                .build();
    }

    /** Each template asks the configuration of the session that it sends to. */
    @Test
    void isThatOfTheTemplatesOwnSession() {
        CqlSession chosen = opened(cassandra.plainSession(config -> config.withString(REQUEST_CONSISTENCY, "THREE")));
        CqlTemplate template = new CqlTemplate(ScopedCqlSession.of(chosen));
        WriteScope sure = new WriteScope(100, true, true, SureLevel.of(silent), null);
        cassandra.prime(when(WRITE).then(noRows()));
        sure.call(() -> template.execute(WRITE));
        assertThat(cassandra.sent(WRITE))
                .singleElement()
                .satisfies(log -> assertThat(log.getConsistency()).hasToString("THREE"));
    }

    /** Which tables these are only the server can tell; until then nobody knows. */
    @Test
    void isNoLocalOneWhereATableRefusesThose() {
        CqlIdentifier shop = CqlIdentifier.fromInternal("shop");
        try (StubCassandra six = new StubCassandra("6.0.0");
                CqlSession session = six.plainSession(UnaryOperator.identity())) {
            six.prime(when(TransactionalTables.SCHEMA)
                    .then(rows().row(StubCassandra.described(shop, CqlIdentifier.fromInternal("t"), "off"))
                            .row(StubCassandra.described(shop, CqlIdentifier.fromInternal("another"), "full"))
                            .columnTypes(StubCassandra.describedColumns()))
                    .delay(300, TimeUnit.MILLISECONDS));
            SimpleStatement write = SimpleStatement.newInstance("INSERT INTO shop.t (k) VALUES (1)");
            assertThat(level(session, write)).as("not known yet").isEqualTo(QUORUM);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(level(session, write)).isEqualTo(LOCAL_QUORUM));
            assertThat(level(session, STATEMENT)).isEqualTo(LOCAL_QUORUM);
            assertThat(level(session, SimpleStatement.newInstance("/* q17 */ SELECT k FROM shop.another")))
                    .isEqualTo(QUORUM);
        }
    }
}
