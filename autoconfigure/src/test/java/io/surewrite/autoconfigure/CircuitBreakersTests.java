package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.autoconfigure.RetryProperties.CircuitBreakerProperties;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.RetrySettings;
import io.surewrite.retry.ScopedRetryTemplate;
import io.surewrite.retry.ScopedRetryTemplate.RetrySupport;
import io.surewrite.retry.WriteCircuitOpenException;
import io.surewrite.write.Backoff;
import io.surewrite.write.WriteTimestamps;
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
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.OptimisticLockingFailureException;

/** Which calls share a circuit breaker. */
@ExtendWith(OutputCaptureExtension.class)
class CircuitBreakersTests {

    private static final RuntimeException WRONG = new CodecNotFoundException(DataTypes.INT, GenericType.STRING);
    private static final RuntimeException LOST = new OptimisticLockingFailureException("lost");

    private final WriteTimestamps timestamps = new WriteTimestamps(Clock.systemUTC());
    private final List<String> names = new CopyOnWriteArrayList<>();
    private final Map<String, Supplier<State>> states = new ConcurrentHashMap<>();
    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void eachSessionHasOne() {
        Circuit all = breakers(Duration.ofHours(1));
        open(all.ofSession("orders"));
        assertThat(passes(all.ofSession("orders"))).isFalse();
        assertThat(passes(all.ofSession("users"))).isTrue();
        assertThat(names).containsExactly("orders", "users");
        assertThat(states.get("orders").get()).isEqualTo(State.OPEN);
        assertThat(states.get("users").get()).isEqualTo(State.CLOSED);
    }

    /** Repositories of another session get the primary session's template, and ask it for their own. */
    @Test
    void theTemplateOfAnotherSessionHasThatSessionsBreaker() {
        Circuit all = breakers(Duration.ofHours(1));
        ScopedRetryTemplate archive = template(all.ofSession("users")).on(timestamps, "archive");
        open(all.ofSession("users"));
        assertThat(archive.execute("save", () -> "done")).isEqualTo("done");
        assertThatExceptionOfType(WriteCircuitOpenException.class)
                .isThrownBy(() -> archive.on(timestamps, "users").execute("save", () -> "done"));
    }

    @Test
    void staysClosedOnWhatIsNotTheClustersFault() {
        Circuit circuit = breakers(Duration.ofHours(1)).ofSession("users");
        for (int i = 0; i < 20; i++) {
            for (RuntimeException failure : List.of(WRONG, LOST)) {
                assertThat(catchThrowable(() -> template(circuit).execute("save", failing(failure))))
                        .isSameAs(failure);
            }
        }
        assertThat(states.get("users").get()).isEqualTo(State.CLOSED);
    }

    @Test
    void givesATrialBackThatSaidNothing() {
        Circuit circuit = breakers(Duration.ofSeconds(1)).ofSession("users");
        open(circuit);
        await().atMost(Duration.ofSeconds(30)).until(circuit::tryPass);
        circuit.nothingLearnt();
        for (int trial = 0; trial < 4; trial++) { // one more than may try at a time
            assertThat(catchThrowable(() -> template(circuit).execute("save", failing(LOST))))
                    .isSameAs(LOST);
        }
        assertThat(states.get("users").get()).isEqualTo(State.HALF_OPEN);
    }

    /** Such as a call that never ends. */
    @Test
    void aTrialWithoutAnOutcomeDoesNotKeepItHalfOpenForEver() {
        Circuit circuit = breakers(Duration.ofMillis(20)).ofSession("users");
        open(circuit);
        for (int trial = 0; trial < 4; trial++) { // one more than may try at a time
            await().atMost(Duration.ofSeconds(30)).until(circuit::tryPass);
        }
    }

    /** So that the backlog is replayed; and one line each for whoever reads the log, however often it tries in between. */
    @Test
    void tellsWhenItClosesAndLogsThatItIsAwayAndThatItIsBack(CapturedOutput output) {
        Circuit circuit = breakers(Duration.ofMillis(20)).ofSession("users");
        open(circuit);
        for (int trial = 0; trial < 2; trial++) {
            await().atMost(Duration.ofSeconds(30)).until(circuit::tryPass);
            assertThat(states.get("users").get()).isEqualTo(State.HALF_OPEN);
            do {
                if (trial == 0) {
                    circuit.unavailable(new IllegalStateException("down"));
                } else {
                    circuit.answered();
                }
            } while (states.get("users").get() == State.HALF_OPEN && circuit.tryPass());
        }
        assertThat(states.get("users").get()).isEqualTo(State.CLOSED);
        assertThat(closed).hasValue(1);
        assertThat(output)
                .containsOnlyOnce("The circuit breaker of Cassandra writes of users is open")
                .containsOnlyOnce("The circuit breaker of Cassandra writes of users is closed");
    }

    private static Supplier<String> failing(RuntimeException failure) {
        return () -> {
            throw failure;
        };
    }

    private ScopedRetryTemplate template(Circuit circuit) {
        return ScopedRetryTemplate.forIdempotentWrites(
                new RetrySettings(1, Duration.ofSeconds(20), new Backoff(Duration.ZERO, Duration.ZERO, 1)),
                new RetrySupport(timestamps, circuit, ObservationRegistry.NOOP, new Random(1), System::nanoTime, null));
    }

    private static void open(Circuit circuit) {
        for (int i = 0; i < 20; i++) {
            assertThat(circuit.tryPass()).isTrue();
            circuit.unavailable(new IllegalStateException("down"));
        }
    }

    private static boolean passes(Circuit circuit) {
        boolean passes = circuit.tryPass();
        if (passes) {
            circuit.answered();
        }
        return passes;
    }

    private CircuitBreakers breakers(Duration openFor) {
        CircuitBreakers breakers =
                new CircuitBreakers(new CircuitBreakerProperties(true, openFor), () -> closed.incrementAndGet());
        breakers.watch(made -> {
            names.add(made.getName());
            states.put(made.getName(), made::getState);
        });
        return breakers;
    }
}
