package io.surewrite.retry;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.closeConnection;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.overloaded;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.unavailable;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.writeTimeout;
import static io.surewrite.StubCassandra.when;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import com.datastax.oss.simulacron.common.codec.ConsistencyLevel;
import com.datastax.oss.simulacron.common.codec.WriteType;
import com.datastax.oss.simulacron.common.result.Result;
import com.datastax.oss.simulacron.common.stubbing.CloseType;
import com.datastax.oss.simulacron.common.stubbing.DisconnectAction.Scope;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.StubCassandra;
import io.surewrite.internal.session.ScopedReactiveSession;
import io.surewrite.retry.ScopedRetryTemplate.RetrySupport;
import io.surewrite.write.Backoff;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.cassandra.core.cql.session.DefaultBridgedReactiveSession;

/** R1: more than one attempt, one timestamp; and what the plain driver does in the same place. */
class WriteRetryTests {

    private static final String CQL = "INSERT INTO t (k, v) VALUES (1, 2)";
    private static final SimpleStatement WRITE = SimpleStatement.newInstance(CQL);

    private static StubCassandra cassandra;
    private static CqlSession session;
    private static CqlSession speculating;
    private static CqlSession plain;
    private static ScopedReactiveSession reactive;
    private static RetrySupport support;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(2);
        session = cassandra.session(StubCassandra::impatient);
        speculating = cassandra.session(WriteRetryTests::speculating);
        plain = cassandra.plainSession(config -> speculating(StubCassandra.impatient(config)));
        reactive = new ScopedReactiveSession(new DefaultBridgedReactiveSession(session));
        support = new RetrySupport(
                WriteTimestamps.of(session),
                Circuit.NONE,
                ObservationRegistry.NOOP,
                new Random(1),
                System::nanoTime,
                null);
    }

    private static ProgrammaticDriverConfigLoaderBuilder speculating(ProgrammaticDriverConfigLoaderBuilder config) {
        return config.withClass(
                        DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                        ConstantSpeculativeExecutionPolicy.class)
                .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, 2)
                .withDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, Duration.ofMillis(50));
    }

    @AfterAll
    static void stop() {
        Stream.of(session, speculating, plain).forEach(CqlSession::close);
        cassandra.close();
    }

    @AfterEach
    void forget() {
        cassandra.forget();
    }

    static List<Result> failures() {
        return List.of(
                overloaded("busy"),
                writeTimeout(ConsistencyLevel.QUORUM, 1, 2, WriteType.SIMPLE),
                noResult(),
                closeConnection(Scope.CONNECTION, CloseType.DISCONNECT),
                unavailable(ConsistencyLevel.QUORUM, 2, 1));
    }

    static Stream<Arguments> waysAndFailures() {
        return Stream.of(Way.values()).flatMap(way -> failures().stream().map(failure -> Arguments.of(way, failure)));
    }

    @ParameterizedTest
    @MethodSource("waysAndFailures")
    void allAttemptsCarryOneTimestamp(Way way, Result failure) {
        cassandra.answerInTurn(
                when(CQL).then(failure), when(CQL).then(failure), when(CQL).then(noRows()));
        way.write(template());
        assertThat(cassandra.timestamps(CQL)).hasSize(3);
        assertThat(new HashSet<>(cassandra.timestamps(CQL))).hasSize(1);
    }

    @Test
    void speculativeExecutionsCarryOneTimestamp() {
        cassandra.prime(when(CQL).then(noRows()).delay(150, TimeUnit.MILLISECONDS));
        template().execute("t.write", () -> speculating.execute(WriteScope.apply(WRITE)));
        assertThat(cassandra.timestamps(CQL)).hasSizeGreaterThan(1);
        assertThat(new HashSet<>(cassandra.timestamps(CQL))).hasSize(1);

        plain.execute(WRITE.setIdempotent(true));
        assertThat(new HashSet<>(cassandra.timestamps(CQL))).hasSizeGreaterThan(2);
    }

    private static ScopedRetryTemplate template() {
        RetrySettings settings = new RetrySettings(
                6, Duration.ofSeconds(20), new Backoff(Duration.ofMillis(40), Duration.ofMillis(200), 2));
        return ScopedRetryTemplate.forIdempotentWrites(settings, support);
    }

    enum Way {
        SPRING_RETRY {
            @Override
            void write(ScopedRetryTemplate template) {
                template.execute("t.write", () -> session.execute(WriteScope.apply(WRITE)));
            }
        },
        ASYNC {
            @Override
            void write(ScopedRetryTemplate template) {
                template.executeAsync("t.write", () -> session.executeAsync(WriteScope.apply(WRITE)))
                        .join();
            }
        },
        MONO {
            @Override
            void write(ScopedRetryTemplate template) {
                template.reactive().mono("t.write", reactive.execute(WRITE)).block();
            }
        },
        FLUX {
            @Override
            void write(ScopedRetryTemplate template) {
                template.reactive()
                        .flux("t.write", reactive.execute(WRITE).flux())
                        .blockLast();
            }
        };

        abstract void write(ScopedRetryTemplate template);
    }
}
