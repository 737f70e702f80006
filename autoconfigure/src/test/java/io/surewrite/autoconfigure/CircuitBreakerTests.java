package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.RetrySettings;
import io.surewrite.retry.ScopedRetryTemplate;
import io.surewrite.retry.ScopedRetryTemplate.RetrySupport;
import io.surewrite.retry.WriteCircuitOpenException;
import io.surewrite.write.Backoff;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.dao.OptimisticLockingFailureException;

class CircuitBreakerTests {

    private final CircuitBreaker breaker = CircuitBreaker.of(
            "test",
            CircuitBreakerConfig.custom()
                    .slidingWindowSize(4)
                    .minimumNumberOfCalls(4)
                    .permittedNumberOfCallsInHalfOpenState(1)
                    .waitDurationInOpenState(Duration.ofMinutes(5))
                    .build());
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void opensOnUnavailabilityAndFailsFastInsideTheRetry() {
        RuntimeException unavailable = new RequestThrottlingException("full");
        assertThat(catchThrowable(() -> run(10, failing(unavailable)))).isInstanceOf(WriteCircuitOpenException.class);
        assertThat(runs).as("attempts of one call, until the circuit opened").hasValue(4);
        assertThat(breaker.getState()).isEqualTo(State.OPEN);
        assertThat(catchThrowable(() -> run(10, () -> "never"))).isInstanceOf(WriteCircuitOpenException.class);
        assertThat(runs).hasValue(4);
    }

    @Test
    void staysClosedOnWhatIsNotTheClustersFault() {
        RuntimeException wrong = new CodecNotFoundException(DataTypes.INT, GenericType.STRING);
        RuntimeException lost = new OptimisticLockingFailureException("lost");
        for (int i = 0; i < 20; i++) {
            assertThat(catchThrowable(() -> run(10, failing(wrong)))).isSameAs(wrong);
            assertThat(catchThrowable(() -> run(10, failing(lost)))).isSameAs(lost);
        }
        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void closesAfterATrialThatWentWell() {
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        assertThat(run(1, () -> "done")).isEqualTo("done");
        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void givesATrialBackThatSaidNothing() {
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        RuntimeException lost = new OptimisticLockingFailureException("lost");
        for (int i = 0; i < 3; i++) {
            assertThat(catchThrowable(() -> run(1, failing(lost)))).isSameAs(lost);
        }
        assertThat(breaker.getState()).isEqualTo(State.HALF_OPEN);
        assertThat(run(1, () -> "done")).isEqualTo("done");
    }

    @Test
    void saysHowLongItRemainsOpen() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        Circuit circuit = new CircuitBreakers.Breaker(
                CircuitBreaker.of(
                        "clocked",
                        CircuitBreakerConfig.custom()
                                .slidingWindowSize(1)
                                .minimumNumberOfCalls(1)
                                .permittedNumberOfCallsInHalfOpenState(1)
                                .waitDurationInOpenState(Duration.ofSeconds(30))
                                .clock(new MovingClock(now))
                                .build()),
                () -> {});
        assertThat(circuit.remainsOpen()).isZero();
        circuit.unavailable(1, new RequestThrottlingException("full"));
        now.set(Instant.EPOCH.plusSeconds(18));
        assertThat(circuit.remainsOpen()).isEqualTo(Duration.ofSeconds(12));
        WriteCircuitOpenException refused =
                catchThrowableOfType(WriteCircuitOpenException.class, () -> run(circuit, 3, () -> "never"));
        assertThat(refused.remainsOpen()).isEqualTo(Duration.ofSeconds(12));
        now.set(Instant.EPOCH.plusSeconds(31));
        assertThat(circuit.remainsOpen()).isZero();
        assertThat(circuit.tryPass()).isTrue();
        circuit.unavailable(1, new RequestThrottlingException("full"));
        assertThat(circuit.remainsOpen()).as("opened again").isEqualTo(Duration.ofSeconds(30));
    }

    private static final class MovingClock extends Clock {

        private final AtomicReference<Instant> now;

        private MovingClock(AtomicReference<Instant> now) {
            this.now = now;
        }

        @Override
        public Instant instant() {
            return now.get();
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private Supplier<String> failing(RuntimeException failure) {
        return () -> {
            runs.incrementAndGet();
            throw failure;
        };
    }

    private String run(int attempts, Supplier<String> write) {
        return run(new CircuitBreakers.Breaker(breaker, () -> {}), attempts, write);
    }

    private static String run(Circuit circuit, int attempts, Supplier<String> write) {
        RetrySupport support = new RetrySupport(
                new WriteTimestamps(Clock.systemUTC()),
                circuit,
                ObservationRegistry.NOOP,
                new Random(1),
                System::nanoTime,
                null);
        RetrySettings settings =
                new RetrySettings(attempts, Duration.ofSeconds(20), new Backoff(Duration.ZERO, Duration.ZERO, 1));
        return ScopedRetryTemplate.forIdempotentWrites(settings, support).execute("op", write);
    }
}
