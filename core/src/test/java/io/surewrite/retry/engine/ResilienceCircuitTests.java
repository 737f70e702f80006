package io.surewrite.retry.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.surewrite.cql.Backoff;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.retry.RetrySettings;
import io.surewrite.retry.WriteCircuitOpenException;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.dao.OptimisticLockingFailureException;

class ResilienceCircuitTests {

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

    private Supplier<String> failing(RuntimeException failure) {
        return () -> {
            runs.incrementAndGet();
            throw failure;
        };
    }

    private String run(int attempts, Supplier<String> write) {
        RetrySupport support = new RetrySupport(
                new WriteTimestamps(Clock.systemUTC()),
                new ResilienceCircuit(breaker),
                WriteListener.NONE,
                new Random(1),
                System::nanoTime);
        RetrySettings settings =
                new RetrySettings(attempts, Duration.ofSeconds(20), new Backoff(Duration.ZERO, Duration.ZERO, 1));
        return ScopedRetryTemplate.forIdempotentWrites(settings, RetryEngine.framework(), support)
                .execute("op", write);
    }
}
