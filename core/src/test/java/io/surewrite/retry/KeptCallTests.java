package io.surewrite.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.observe.HeardWrites;
import io.surewrite.retry.ScopedRetryTemplate.Fallback;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteReceipt;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** What becomes of writes that may be kept when they are given up; the same for every way to call. */
class KeptCallTests {

    private static final RuntimeException LATE = new DriverTimeoutException("late");
    private static final RuntimeException FULL = new RequestThrottlingException("full");
    private static final SimpleStatement WRITE = SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1)");
    private final List<String> heard = new ArrayList<>();
    private final List<String> kept = new ArrayList<>();
    private RuntimeException diskFailure;
    private boolean open;
    private boolean opensLater;

    private final ScopedRetryTemplate template = TestRetry.template(
                    2, new WriteTimestamps(Clock.systemUTC()), circuit(), new HeardWrites(heard).registry())
            .keeping(new Fallback(this::keep, receipt -> "kept"));

    @ParameterizedTest
    @EnumSource
    void tellsTheFailureAndWhyItWasNotKept(Way way) {
        isUnknownBecauseOf(LATE, new IllegalStateException("disk full"), way);
        isUnknownBecauseOf(FULL, new UnknownOutcomeException("the disk did not say", null), way);
    }

    private void isUnknownBecauseOf(RuntimeException failure, RuntimeException ofTheDisk, Way way) {
        diskFailure = ofTheDisk;
        Throwable thrown = catchThrowable(() -> way.run(this, failing(failure, WRITE)));
        assertThat(thrown).isInstanceOf(UnknownOutcomeException.class).hasCause(failure);
        assertThat(thrown.getSuppressed()).containsExactly(ofTheDisk);
        assertThat(heard).last().isEqualTo("UNKNOWN after 2");
    }

    @ParameterizedTest
    @EnumSource
    void keepsWithoutSendingWhileTheCircuitIsOpen(Way way) throws Throwable {
        open = true;
        assertThat(way.run(this, () -> {
                    WriteScope.apply(WRITE);
                    return "done";
                }))
                .isEqualTo("kept");
        assertThat(kept).hasSize(1);
        assertThat(heard).containsExactly("op begins", "KEPT after 0");
    }

    /** An attempt that seems to succeed without having sent anything must not be believed. */
    @ParameterizedTest
    @EnumSource
    void failsAWriteThatSendsNothingWhileTheCircuitIsOpen(Way way) {
        open = true;
        assertThat(catchThrowable(() -> way.run(this, () -> "done")))
                .isInstanceOf(WriteCircuitOpenException.class)
                .satisfies(refused -> assertThat(refused.getSuppressed())
                        .anySatisfy(why -> assertThat(why).hasMessageContaining("before it sent anything")));
        assertThat(kept).isEmpty();
        assertThat(heard).containsExactly("op begins", "EXHAUSTED after 0");
    }

    @ParameterizedTest
    @EnumSource
    void keepsWhatItSentWhenTheCircuitOpensBetweenAttempts(Way way) throws Throwable {
        opensLater = true;
        assertThat(way.run(this, failing(LATE, WRITE))).isEqualTo("kept");
        assertThat(heard).containsExactly("op begins", "attempt 1: unknown", "KEPT after 1");
    }

    @Test
    void keepsNothingForACallerWhoCancels() {
        CompletableFuture<String> sent = new CompletableFuture<>();
        List<WriteScope> scopes = new ArrayList<>();
        CompletableFuture<String> call = template.executeAsync("op", () -> {
            WriteScope.apply(WRITE);
            scopes.add(Objects.requireNonNull(WriteScope.current()));
            return sent;
        });
        assertThat(call.cancel(true)).isTrue();
        assertThatExceptionOfType(CancellationException.class)
                .as("its next step")
                .isThrownBy(() -> scopes.get(0).applyTo(WRITE));
        assertThat(heard).containsExactly("op begins", "UNKNOWN after 1");
        sent.completeExceptionally(FULL);
        assertThat(kept).isEmpty();
        assertThat(heard).containsExactly("op begins", "UNKNOWN after 1");
    }

    private static Supplier<String> failing(RuntimeException failure, SimpleStatement... writes) {
        return () -> {
            for (SimpleStatement write : writes) {
                WriteScope.apply(write);
            }
            throw failure;
        };
    }

    private CompletableFuture<WriteReceipt> keep(String operation, long decided, Statement<?> statement) {
        if (diskFailure != null) {
            return CompletableFuture.failedFuture(diskFailure);
        }
        assertThat(statement.getQueryTimestamp()).isEqualTo(decided);
        kept.add(operation);
        return CompletableFuture.completedFuture(WriteReceipt.KEPT);
    }

    private Circuit circuit() {
        return new Circuit() {
            @Override
            public boolean tryPass() {
                return !open;
            }

            @Override
            public void unavailable(Throwable failure) {
                open = opensLater;
            }
        };
    }

    enum Way {
        BLOCKING {
            @Override
            Object run(KeptCallTests test, Supplier<String> write) throws Throwable {
                return test.template.call("op", write::get);
            }
        },
        ASYNC {
            @Override
            Object run(KeptCallTests test, Supplier<String> write) throws Throwable {
                return ended(test.template.executeAsync("op", () -> CompletableFuture.completedFuture(write.get())));
            }
        },
        REACTIVE {
            @Override
            Object run(KeptCallTests test, Supplier<String> write) throws Throwable {
                Mono<String> sent = Mono.deferContextual(context -> {
                    WriteScope.Opened opened =
                            ReactiveWriteScope.current(context).open();
                    try {
                        return Mono.just(write.get());
                    } finally {
                        opened.close();
                    }
                });
                return ended(test.template.reactive().mono("op", sent).toFuture());
            }
        };

        abstract Object run(KeptCallTests test, Supplier<String> write) throws Throwable;

        private static Object ended(CompletableFuture<String> call) throws Throwable {
            try {
                return call.get(30, TimeUnit.SECONDS);
            } catch (ExecutionException failed) {
                throw failed.getCause();
            }
        }
    }
}
