package io.surewrite.internal.lwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.simulacron.common.cluster.QueryLog;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl;
import io.surewrite.StubCassandra;
import io.surewrite.internal.session.ScopedCqlSession;
import io.surewrite.write.ConditionalWrites;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Statements of our protocols on a session that lacks their profile. */
class ConditionalProfileTests {

    private static final String CQL = "UPDATE thing SET name = 'a' WHERE id = 1 IF name = 'b'";

    private static StubCassandra cassandra;
    private static CqlSession plain;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(1);
        plain = cassandra.plainSession(
                config -> config.withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofMillis(100)));
        cassandra.prime(PrimeDsl.when(CQL).then(PrimeDsl.noRows()).delay(300, TimeUnit.MILLISECONDS));
    }

    @AfterAll
    static void stop() {
        plain.close();
        cassandra.close();
    }

    @AfterEach
    void forget() {
        cassandra.forget();
    }

    @Test
    void giveEachStatementTheSettingsOfTheProfile() {
        ConditionalProfile local = new ConditionalProfile(
                ConsistencyLevel.LOCAL_SERIAL, ConsistencyLevel.LOCAL_QUORUM, Duration.ofSeconds(5));
        // The answer comes after the session's own time-out.
        local.on(plain).execute(SimpleStatement.newInstance(CQL).setExecutionProfileName(ConditionalWrites.PROFILE));
        QueryLog sent = cassandra.sent(CQL).get(0);
        assertThat(sent.getConsistency()).hasToString("LOCAL_QUORUM");
        assertThat(sent.getSerialConsistency()).hasToString("LOCAL_SERIAL");
    }

    @Test
    void knowTheirLevel() {
        ConditionalProfile local = new ConditionalProfile(
                ConsistencyLevel.LOCAL_SERIAL, ConsistencyLevel.LOCAL_QUORUM, Duration.ofSeconds(5));
        assertThat(ConditionalProfile.of(local.on(plain)).getString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY))
                .isEqualTo("LOCAL_SERIAL");
        assertThat(ConditionalProfile.of(plain).getString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY))
                .isEqualTo("SERIAL");
    }

    @Test
    void leaveASessionAloneThatHasTheProfile() {
        try (CqlSession ours = cassandra.session(UnaryOperator.identity())) {
            assertThat(ConditionalProfile.DEFAULT.on(ours)).isSameAs(ours);
            assertThat(ConditionalProfile.DEFAULT.on(ScopedCqlSession.of(ours)))
                    .as("out of the scope")
                    .isSameAs(ours);
        }
        CqlSession once = ConditionalProfile.DEFAULT.on(plain);
        assertThat(ConditionalProfile.DEFAULT.on(once)).as("not twice").isSameAs(once);
    }

    @Test
    void anyOtherStatementStaysAsItIs() {
        String read = "SELECT name FROM thing WHERE id = 1";
        ConditionalProfile.DEFAULT.on(plain).execute(read);
        assertThat(cassandra.sent(read).get(0).getConsistency()).hasToString("LOCAL_ONE");
    }
}
