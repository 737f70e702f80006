package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.autoconfigure.CircuitBreakerProperties.Per;
import io.surewrite.cql.Backoff;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.RetrySettings;
import io.surewrite.retry.WriteCircuitOpenException;
import io.surewrite.retry.engine.RetryEngine;
import io.surewrite.retry.engine.RetrySupport;
import io.surewrite.retry.engine.ScopedRetryTemplate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Which calls share a circuit breaker. */
@ExtendWith(OutputCaptureExtension.class)
class CircuitBreakersTests {

    private final List<String> names = new CopyOnWriteArrayList<>();
    private final Map<String, Supplier<State>> states = new ConcurrentHashMap<>();
    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void eachSessionHasOne() {
        Circuit all = breakers(Per.SESSION);
        open(all.ofSession("orders").ofOperation("Orders.save"));
        assertThat(passes(all.ofSession("orders").ofOperation("Orders.delete"))).isFalse();
        assertThat(passes(all.ofSession("users").ofOperation("Users.save"))).isTrue();
        assertThat(names).containsExactly("orders", "users");
        assertThat(states.get("orders").get()).isEqualTo(State.OPEN);
        assertThat(states.get("users").get()).isEqualTo(State.CLOSED);
    }

    @Test
    void eachOperationHasOne() {
        Circuit all = breakers(Per.OPERATION);
        open(all.ofSession("users").ofOperation("Users.save"));
        assertThat(passes(all.ofSession("users").ofOperation("Users.save"))).isFalse();
        assertThat(passes(all.ofSession("users").ofOperation("Users.delete"))).isTrue();
        assertThat(passes(all.ofSession("archive").ofOperation("Users.save"))).isTrue();
        assertThat(names).containsExactly("users/Users.save", "users/Users.delete", "archive/Users.save");
        assertThat(states.get("users/Users.save").get()).isEqualTo(State.OPEN);
    }

    @Test
    void theApplicationHasOne() {
        Circuit all = breakers(Per.APPLICATION);
        open(all.ofSession("orders").ofOperation("Orders.save"));
        assertThat(passes(all.ofSession("users").ofOperation("Users.save"))).isFalse();
        assertThat(passes(all.ofOperation("Users.save"))).isFalse();
        assertThat(names).containsExactly("application");
        assertThat(states.get("application").get()).isEqualTo(State.OPEN);
    }

    /** Repositories of another session get the primary session's template, and ask it for their own. */
    @ParameterizedTest
    @EnumSource(names = {"SESSION", "OPERATION"})
    void theTemplateOfAnotherSessionHasThatSessionsBreaker(Per per) {
        Circuit all = breakers(per);
        WriteTimestamps timestamps = new WriteTimestamps(Clock.systemUTC());
        ScopedRetryTemplate users = ScopedRetryTemplate.forIdempotentWrites(
                new RetrySettings(1, Duration.ofSeconds(20), new Backoff(Duration.ZERO, Duration.ZERO, 1)),
                RetryEngine.framework(),
                new RetrySupport(
                        timestamps,
                        all.ofSession("users"),
                        ObservationRegistry.NOOP,
                        new Random(1),
                        System::nanoTime,
                        null));
        ScopedRetryTemplate archive = users.on(timestamps, "archive");
        open(all.ofSession("users").ofOperation("save"));
        assertThat(archive.execute("save", () -> "done")).isEqualTo("done");
        assertThatExceptionOfType(WriteCircuitOpenException.class)
                .isThrownBy(() -> archive.on(timestamps, "users").execute("save", () -> "done"));
    }

    /** Such as a call that never ends. */
    @Test
    void aTrialWithoutAnOutcomeDoesNotKeepItHalfOpenForEver() {
        Circuit circuit = breakers(Per.APPLICATION, Duration.ofMillis(20)).ofSession("users");
        open(circuit);
        for (int trial = 0; trial < 4; trial++) { // one more than may try at a time
            await().atMost(Duration.ofSeconds(30)).until(circuit::tryPass);
        }
    }

    /** So that the backlog is replayed; and one line each for whoever reads the log, however often it tries in between. */
    @Test
    void tellsWhenItClosesAndLogsThatItIsAwayAndThatItIsBack(CapturedOutput output) {
        Circuit circuit = breakers(Per.APPLICATION, Duration.ofMillis(20)).ofSession("users");
        open(circuit);
        for (int trial = 0; trial < 2; trial++) {
            await().atMost(Duration.ofSeconds(30)).until(circuit::tryPass);
            assertThat(states.get("application").get()).isEqualTo(State.HALF_OPEN);
            do {
                if (trial == 0) {
                    circuit.unavailable(1, new IllegalStateException("down"));
                } else {
                    circuit.answered(1);
                }
            } while (states.get("application").get() == State.HALF_OPEN && circuit.tryPass());
        }
        assertThat(states.get("application").get()).isEqualTo(State.CLOSED);
        assertThat(closed).hasValue(1);
        assertThat(output)
                .containsOnlyOnce("The circuit breaker of Cassandra writes of application is open")
                .containsOnlyOnce("The circuit breaker of Cassandra writes of application is closed");
    }

    private static void open(Circuit circuit) {
        for (int i = 0; i < 2; i++) {
            assertThat(circuit.tryPass()).isTrue();
            circuit.unavailable(1, new IllegalStateException("down"));
        }
    }

    private static boolean passes(Circuit circuit) {
        boolean passes = circuit.tryPass();
        if (passes) {
            circuit.answered(1);
        }
        return passes;
    }

    private CircuitBreakers breakers(Per per) {
        return breakers(per, Duration.ofHours(1));
    }

    private CircuitBreakers breakers(Per per, Duration openFor) {
        CircuitBreakers breakers = new CircuitBreakers(
                new CircuitBreakerProperties(true, per, 50, 5, openFor), () -> closed.incrementAndGet());
        breakers.watch(made -> {
            names.add(made.name());
            states.put(made.name(), made::state);
        });
        return breakers;
    }
}
