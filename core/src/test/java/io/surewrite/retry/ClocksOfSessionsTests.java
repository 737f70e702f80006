package io.surewrite.retry;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.StubCassandra;
import io.surewrite.internal.clock.ClockGuard;
import io.surewrite.internal.session.ScopedCqlSession;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.WriteTimestamps;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two clusters: by the nodes of one the clock of this process is ten minutes ahead, by those of the other it is right. */
class ClocksOfSessionsTests {

    private static final String WRITE = "INSERT INTO t (k, v) VALUES (1, 2)";
    private static final String READ = "SELECT v FROM t WHERE k = 1";
    private static final String NOW = "SELECT currentTimestamp() FROM system.local";

    private static StubCassandra late;
    private static StubCassandra right;
    private static CqlSession toLate;
    private static CqlSession toRight;

    @BeforeAll
    static void start() throws Exception {
        late = new StubCassandra(1);
        right = new StubCassandra(1);
        toLate = late.session();
        toRight = right.session();
        long tenMinutesAgo = System.currentTimeMillis() - TimeUnit.MINUTES.toMillis(10);
        late.prime(when(NOW)
                .then(rows().row("now", tenMinutesAgo)
                        .columnTypes("now", "timestamp")
                        .build()));
        ClockGuard.of(WriteTimestamps.of(toLate))
                .start(toLate, ClockGuard.Settings.defaults(), report -> {})
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        for (StubCassandra each : List.of(late, right)) {
            each.prime(when(WRITE).then(noRows()));
            each.prime(when(READ).then(noRows()));
        }
    }

    @AfterAll
    static void stop() {
        ClockGuard.of(WriteTimestamps.of(toLate)).close();
        toLate.close();
        toRight.close();
        late.close();
        right.close();
    }

    @BeforeEach
    void thePremise() {
        assertThat(ClockGuard.of(WriteTimestamps.of(toLate)).problem()).contains("ahead of those of 1 of 1 nodes");
        assertThat(ClockGuard.of(WriteTimestamps.of(toRight)).problem()).isNull();
    }

    @Test
    void aCallAsksThoseOfTheSessionsThatItWritesTo() {
        template(toLate).execute("to the right one", () -> write(toRight));
        template(toLate).execute("a read", () -> read(toLate));
        template(toLate)
                .executeAsync(
                        "to the right one", () -> ScopedCqlSession.of(toRight).executeAsync(WRITE))
                .join();

        assertThatExceptionOfType(ClockOffsetException.class)
                .isThrownBy(() -> template(toRight).execute("to the late one", () -> write(toLate)));
        assertThatExceptionOfType(PartlyDoneException.class)
                .isThrownBy(() -> template(toRight).execute("to both", () -> {
                    write(toRight);
                    return write(toLate);
                }))
                .withCauseInstanceOf(ClockOffsetException.class);
        assertThat(late.sent(WRITE)).isEmpty();
    }

    private static Object write(CqlSession session) {
        return ScopedCqlSession.of(session).execute(WRITE);
    }

    private static Object read(CqlSession session) {
        return ScopedCqlSession.of(session).execute(READ);
    }

    /** That of an application whose primary session this is. */
    private static ScopedRetryTemplate template(CqlSession primary) {
        return TestRetry.template(3, WriteTimestamps.of(primary));
    }
}
