package io.surewrite.internal.lwt;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.closeConnection;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.overloaded;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.serverError;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.syntaxError;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.unavailable;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.writeTimeout;
import static io.surewrite.StubCassandra.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.simulacron.common.codec.ConsistencyLevel;
import com.datastax.oss.simulacron.common.codec.WriteType;
import com.datastax.oss.simulacron.common.result.Result;
import com.datastax.oss.simulacron.common.stubbing.CloseType;
import com.datastax.oss.simulacron.common.stubbing.DisconnectAction.Scope;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl.RowBuilder;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.StubCassandra;
import io.surewrite.internal.observe.HeardWrites;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionalWritesTests {

    private static final String CQL = "UPDATE t SET lease = 'me' WHERE k = 1 IF lease = null";

    private static StubCassandra cassandra;
    private static CqlSession session;

    private final List<String> heard = new ArrayList<>();
    private final ConditionalWrites writes = SettlingConditionalWrites.on(session, new HeardWrites(heard).registry());

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(1);
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
    void takesMyOwnTokenForAnEarlierSuccess() throws Exception {
        cassandra.prime(when(CQL).then(heldBy("me")));
        assertThat(execute()).isInstanceOf(WriteOutcome.Applied.class);
    }

    static Stream<Result> undecided() {
        return Stream.of(
                writeTimeout(ConsistencyLevel.SERIAL, 1, 2, WriteType.CAS),
                writeTimeout(ConsistencyLevel.QUORUM, 1, 2, WriteType.SIMPLE),
                unavailable(ConsistencyLevel.QUORUM, 2, 1),
                serverError("broken"),
                overloaded("busy"),
                noResult(),
                closeConnection(Scope.CONNECTION, CloseType.DISCONNECT));
    }

    @ParameterizedTest
    @MethodSource("undecided")
    void runsTheIdenticalStatementAgainUntilItIsDecided(Result failure) throws Exception {
        cassandra.answerInTurn(
                when(CQL).then(failure), when(CQL).then(failure), when(CQL).then(heldBy("me")));
        assertThat(execute()).isInstanceOf(WriteOutcome.Applied.class);
        assertThat(cassandra.sent(CQL)).hasSize(3).allSatisfy(log -> {
            assertThat(log.getSerialConsistency()).isEqualTo(ConsistencyLevel.SERIAL);
            assertThat(log.getConsistency()).isEqualTo(ConsistencyLevel.QUORUM);
        });
        // After a lost connection an attempt may find no node at all, and come back too.
        assertThat(heard).hasSizeGreaterThanOrEqualTo(3).last().asString().startsWith("SUCCEEDED");
    }

    @ParameterizedTest
    @MethodSource("undecided")
    void answersUnknownPastTheDeadline(Result failure) throws Exception {
        cassandra.prime(when(CQL).then(failure));
        assertThat(execute(row -> false, Duration.ZERO)).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(cassandra.sent(CQL)).hasSize(1);
        assertThat(heard).last().isEqualTo("UNKNOWN after 1");
    }

    /** The clock leaps ahead in the pause, as a virtual machine's does that is suspended. */
    @ParameterizedTest
    @ValueSource(longs = {10, 11, 3_600})
    void sendsNothingWhereTheDeadlinePassesInASleepBetween(long secondsLater) throws Exception {
        Iterator<Long> seconds = List.of(0L, 0L, secondsLater).iterator();
        List<Statement<?>> sent = new ArrayList<>();
        ConditionalWrites sleepy = new SettlingConditionalWrites(
                statement -> {
                    sent.add(statement);
                    return CompletableFuture.failedFuture(new DriverTimeoutException("late"));
                },
                pause -> Runnable::run,
                new Random(1),
                () -> TimeUnit.SECONDS.toNanos(seconds.next()),
                new HeardWrites(heard).registry());
        assertThat(get(sleepy, row -> false, Duration.ofSeconds(10))).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(sent).hasSize(1);
        assertThat(heard).last().isEqualTo("UNKNOWN after 1");
    }

    @Test
    void leavesUnknownWhatBecameWrongAfterAnUnknownAttempt() throws Exception {
        cassandra.answerInTurn(
                when(CQL).then(writeTimeout(ConsistencyLevel.SERIAL, 1, 2, WriteType.CAS)),
                when(CQL).then(syntaxError("dropped")));
        assertThat(execute()).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(cassandra.sent(CQL)).hasSize(2);
    }

    @Test
    void leavesUnknownWhatIsRefusedAfterAnUnknownAttempt() throws Exception {
        cassandra.answerInTurn(
                when(CQL).then(writeTimeout(ConsistencyLevel.SERIAL, 1, 2, WriteType.CAS)),
                when(CQL).then(unavailable(ConsistencyLevel.SERIAL, 2, 1)));
        assertThat(execute(row -> false, Duration.ofMillis(300)))
                .isInstanceOfSatisfying(
                        WriteOutcome.Unknown.class,
                        unknown -> assertThat(unknown.cause()).isInstanceOf(UnavailableException.class));
        assertThat(cassandra.sent(CQL)).hasSizeGreaterThan(1);
    }

    @Test
    void answersFailedIfNoAttemptEverReachedAReplica() throws Exception {
        cassandra.prime(when(CQL).then(unavailable(ConsistencyLevel.SERIAL, 2, 1)));
        assertThat(execute(row -> false, Duration.ofMillis(200)))
                .isInstanceOfSatisfying(
                        WriteOutcome.Failed.class,
                        failed -> assertThat(failed.cause()).isInstanceOf(UnavailableException.class));
        assertThat(heard).last().asString().startsWith("EXHAUSTED");
    }

    @Test
    void reportsAWrongStatementAtOnce() {
        cassandra.prime(when(CQL).then(syntaxError("?")));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(this::execute)
                .withCauseInstanceOf(SyntaxError.class);
        assertThat(cassandra.sent(CQL)).hasSize(1);
        assertThat(heard).last().isEqualTo("FAILED after 1");
    }

    @Test
    void givesTheStatementsOfASessionWithoutTheProfileItsSettings() throws Exception {
        cassandra.prime(when(CQL).then(heldBy("me")));
        try (CqlSession plain = cassandra.plainSession(config -> config)) {
            ConditionalWrites unprofiled = SettlingConditionalWrites.on(plain, ObservationRegistry.NOOP);
            assertThat(get(unprofiled, row -> true, Duration.ofSeconds(5))).isInstanceOf(WriteOutcome.Applied.class);
        }
        assertThat(cassandra.sent(CQL)).hasSize(1).allSatisfy(log -> {
            assertThat(log.getSerialConsistency()).isEqualTo(ConsistencyLevel.SERIAL);
            assertThat(log.getConsistency()).isEqualTo(ConsistencyLevel.QUORUM);
        });
    }

    private WriteOutcome execute() throws Exception {
        return execute(row -> "me".equals(row.getString("lease")), Duration.ofSeconds(10));
    }

    private WriteOutcome execute(Predicate<Row> mine, Duration timeout) throws Exception {
        return get(writes, mine, timeout);
    }

    private static WriteOutcome get(ConditionalWrites writes, Predicate<Row> mine, Duration timeout)
            throws InterruptedException, ExecutionException, TimeoutException {
        // Marked idempotent by mistake: the driver must not retry it all the same.
        SimpleStatement statement = SimpleStatement.newInstance(CQL).setIdempotent(true);
        return writes.execute(new ConditionalWrite(statement, mine), timeout)
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private static RowBuilder heldBy(String holder) {
        return rows().row("[applied]", false, "lease", holder).columnTypes("[applied]", "boolean", "lease", "varchar");
    }
}
