package io.surewrite.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import io.surewrite.internal.observe.HeardWrites;
import io.surewrite.retry.ScopedRetryTemplate.RetrySupport;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.Backoff;
import io.surewrite.write.FailureKind;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteFailures.ClassifiedFailure;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.OptimisticLockingFailureException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** What is tried again, how often, and what the caller gets in the end; the same for every way to call. */
class RetryCallTests {

    private static final RuntimeException UNKNOWN = new DriverTimeoutException("late");
    private static final RuntimeException NOT_APPLIED = new RequestThrottlingException("full");
    private static final RuntimeException WRONG = new CodecNotFoundException(DataTypes.INT, GenericType.STRING);
    private static final RuntimeException OTHER = new OptimisticLockingFailureException("lost");

    private final List<String> heard = new ArrayList<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final TestCircuit circuit = new TestCircuit();
    private Random random = new Random(1);
    private LongSupplier clock = System::nanoTime;
    private boolean reads;
    private RetrySettings settings =
            new RetrySettings(3, Duration.ofSeconds(20), new Backoff(Duration.ofMillis(1), Duration.ofMillis(2), 2));

    @ParameterizedTest
    @EnumSource
    void runsAgainUntilItSucceeds(Way way) throws Throwable {
        assertThat(run(way, UNKNOWN, NOT_APPLIED)).isEqualTo("done");
        assertThat(runs).hasValue(3);
        assertThat(heard)
                .containsExactly("op begins", "attempt 1: unknown", "attempt 2: not-applied", "SUCCEEDED after 3");
        assertThat(circuit.heard).containsExactly("unavailable", "unavailable", "answered");
    }

    @ParameterizedTest
    @EnumSource
    void reportsUnknownIfAnyAttemptMayHaveTakenEffect(Way way) {
        assertThat(catchThrowable(() -> run(way, UNKNOWN, NOT_APPLIED, NOT_APPLIED)))
                .isExactlyInstanceOf(UnknownOutcomeException.class)
                .hasMessageContaining("op: given up after 3 attempt(s)")
                .hasCause(UNKNOWN);
        assertThat(heard).last().isEqualTo("UNKNOWN after 3");
    }

    @ParameterizedTest
    @EnumSource
    void reportsTheLastFailureIfNoAttemptHasTakenEffect(Way way) {
        assertThat(catchThrowable(() -> run(way, NOT_APPLIED, NOT_APPLIED, NOT_APPLIED)))
                .isSameAs(NOT_APPLIED);
        assertThat(runs).hasValue(3);
        assertThat(heard).last().isEqualTo("EXHAUSTED after 3");
    }

    @ParameterizedTest
    @EnumSource
    void retriesNeitherAWrongStatementNorAForeignFailure(Way way) {
        assertThat(catchThrowable(() -> run(way, WRONG))).isSameAs(WRONG);
        assertThat(catchThrowable(() -> run(way, OTHER))).isSameAs(OTHER);
        assertThat(runs).hasValue(2);
        assertThat(heard).filteredOn(line -> line.startsWith("FAILED")).hasSize(2);
        assertThat(circuit.heard).containsExactly("answered", "nothing learnt");
    }

    @ParameterizedTest
    @EnumSource
    void beginsNoAttemptPastTheDeadline(Way way) {
        settings = new RetrySettings(
                1000, Duration.ofMillis(300), new Backoff(Duration.ofMillis(100), Duration.ofMillis(100), 1));
        long start = System.nanoTime();
        assertThat(catchThrowable(() ->
                        run(way, Stream.generate(() -> NOT_APPLIED).limit(1000).toArray(RuntimeException[]::new))))
                .isSameAs(NOT_APPLIED);
        assertThat(runs).hasValueBetween(2, 200);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    /** As a virtual machine does that is suspended: its clock leaps ahead in the pause after the first attempt. */
    @ParameterizedTest
    @EnumSource
    void beginsNoAttemptWhereTheDeadlinePassesInASleepBetween(Way way) {
        for (RuntimeException failure : List.of(NOT_APPLIED, UNKNOWN, new CompletionException(NOT_APPLIED))) {
            settings = new RetrySettings(
                    3, Duration.ofSeconds(20), new Backoff(Duration.ofMillis(400), Duration.ofMillis(400), 1));
            random = new Random(1) {
                @Override
                public long nextLong(long bound) {
                    return bound - 1;
                }
            };
            runs.set(0);
            long start = System.nanoTime();
            clock = () -> System.nanoTime()
                    + (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(200) ? 0 : TimeUnit.HOURS.toNanos(1));
            Throwable thrown = catchThrowable(() -> run(way, failure, failure));
            assertThat(runs).hasValue(1);
            if (failure == UNKNOWN) {
                assertThat(thrown)
                        .isInstanceOf(UnknownOutcomeException.class)
                        .hasMessageContaining("given up after 1 attempt(s)");
            } else {
                assertThat(thrown).isSameAs(NOT_APPLIED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void failsFastWhileTheCircuitIsOpen(Way way) {
        circuit.open = true;
        assertThat(catchThrowable(() -> run(way)))
                .isInstanceOf(WriteCircuitOpenException.class)
                .hasMessageContaining("op was not sent");
        assertThat(runs).hasValue(0);
        assertThat(circuit.heard).isEmpty();
        assertThat(heard).last().as("it may be tried later").isEqualTo("EXHAUSTED after 0");
    }

    @ParameterizedTest
    @EnumSource
    void reportsUnknownIfTheCircuitOpensAfterAnUnknownAttempt(Way way) {
        circuit.opensAfter = 1;
        assertThat(catchThrowable(() -> run(way, UNKNOWN)))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasCause(UNKNOWN)
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .hasAtLeastOneElementOfType(WriteCircuitOpenException.class));
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void leavesTheRetryToTheCallAroundIt(Way way) {
        ScopedRetryTemplate outer = template();
        assertThat(catchThrowable(() -> outer.call("outer", () -> run(way, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN))))
                .isInstanceOf(UnknownOutcomeException.class);
        assertThat(runs).hasValue(3);
        assertThat(heard).filteredOn(line -> line.endsWith("begins")).containsExactly("outer begins");
    }

    @Test
    void leavesTheRetryToTheReactiveCallAroundIt() {
        ReactiveWriteRetry retry = template().reactive();
        Mono<String> inner = retry.mono("inner", Mono.error(() -> {
            runs.incrementAndGet();
            return UNKNOWN;
        }));
        StepVerifier.create(retry.flux("outer", inner.flux()))
                .expectError(UnknownOutcomeException.class)
                .verify();
        assertThat(runs).hasValue(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"SPRING_RETRY", "ASYNC"})
    void forgetsWhatFeaturesNotedWhenTheNextAttemptBegins(Way way) throws Throwable {
        List<AtomicInteger> notes = new ArrayList<>();
        way.run(this, () -> note(Objects.requireNonNull(WriteScope.current()), notes));
        assertThat(notes).hasSize(3).doesNotHaveDuplicates();
    }

    private String note(WriteScope scope, List<AtomicInteger> notes) {
        AtomicInteger note = scope.notes().get(AtomicInteger.class, AtomicInteger::new);
        assertThat(scope.notes().get(AtomicInteger.class, AtomicInteger::new))
                .as("the same for the whole attempt")
                .isSameAs(note);
        notes.add(note);
        if (runs.incrementAndGet() < 3) {
            throw UNKNOWN;
        }
        return "done";
    }

    @Test
    void doesNotTakeBackWhatAFluxHasPassedOn() {
        Flux<String> failsLate = Flux.concat(Flux.just("first"), Mono.error(() -> {
            runs.incrementAndGet();
            return UNKNOWN;
        }));
        StepVerifier.create(template().reactive().flux("op", failsLate))
                .expectNext("first")
                .expectError(UnknownOutcomeException.class)
                .verify();
        assertThat(runs).hasValue(1);
    }

    /** A read is no write that may be in effect. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reportsAnAbandonedSubscription(boolean reading) {
        reads = reading;
        StepVerifier.create(template().reactive().mono("op", Mono.never()))
                .thenAwait(Duration.ofMillis(1))
                .thenCancel()
                .verify();
        assertThat(heard).containsExactly("op begins", reading ? "FAILED after 1" : "UNKNOWN after 1");
        assertThat(circuit.heard).isEqualTo(reading ? List.of() : List.of("nothing learnt"));
    }

    @Test
    void aCancelAfterAnAnswerIsNoFailure() {
        ReactiveWriteRetry retry = template().reactive();
        assertThat(retry.mono("op", Mono.just("a")).flux().next().block()).isEqualTo("a");
        assertThat(retry.flux("op", Flux.just("a", "b")).take(1).blockLast()).isEqualTo("a");
        assertThat(retry.flux("op", Flux.just("a", "b")).next().block()).isEqualTo("a");
        assertThat(retry.mono("op", Mono.just(List.of("a", "b")))
                        .flatMapIterable(all -> all)
                        .blockFirst())
                .isEqualTo("a");
        assertThat(heard)
                .filteredOn(line -> !line.endsWith("begins"))
                .hasSize(4)
                .containsOnly("SUCCEEDED after 1");
        assertThat(circuit.heard).hasSize(4).containsOnly("answered");
    }

    @ParameterizedTest
    @EnumSource
    void readsPassAnOpenCircuit(Way way) throws Throwable {
        circuit.open = true;
        reads = true;
        assertThat(run(way, NOT_APPLIED)).isEqualTo("done");
        assertThat(circuit.heard).as("they tell it nothing either").isEmpty();
    }

    @Test
    void passesOnWhateverElseIsThrown() {
        Exception checked = new Exception("checked");
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> template().call("op", () -> {
                    throw checked;
                }))
                .isSameAs(checked);
        Error error = new AssertionError(UNKNOWN);
        assertThat(catchThrowable(() -> template().execute("op", () -> {
                    throw error;
                })))
                .isSameAs(error);
    }

    /** The next attempt sends something else before it meets the batch, which is sent once only. */
    @ParameterizedTest
    @EnumSource(names = {"SPRING_RETRY", "ASYNC"})
    void reportsUnknownIfAnAttemptSentSomethingBeforeItsSpentBatch(Way way) {
        assertThat(catchThrowable(() -> way.run(this, () -> {
                    if (runs.incrementAndGet() == 1) {
                        throw NOT_APPLIED;
                    }
                    WriteScope.apply(SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1)"));
                    throw new IllegalStateException("This Cassandra Batch was already executed");
                })))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasCause(NOT_APPLIED)
                .hasMessageContaining("its batch was made outside the call");
        assertThat(heard)
                .containsExactly("op begins", "attempt 1: not-applied", "attempt 2: unknown", "UNKNOWN after 2");
    }

    /** Between two attempts nothing is under way that could give the circuit's permission back. */
    @Test
    void aCancelWhileAnAttemptIsLetPassGivesThePermissionBack() throws Exception {
        CompletableFuture<CompletableFuture<String>> call = new CompletableFuture<>();
        circuit.atPass = 2;
        circuit.whenPassing = () -> call.join().cancel(true);
        call.complete(template().executeAsync("op", () -> {
            runs.incrementAndGet();
            return CompletableFuture.failedFuture(NOT_APPLIED);
        }));
        circuit.nothingLearnt.get(30, TimeUnit.SECONDS);
        assertThat(runs).hasValue(1);
        assertThat(circuit.heard).containsExactly("unavailable", "nothing learnt");
        assertThat(heard).last().isEqualTo("FAILED after 1");
    }

    @Test
    void aCancelWhileAnAttemptIsJudgedMayLeaveItInEffect() {
        List<CompletableFuture<String>> calls = new ArrayList<>();
        CompletableFuture<String> attempt = new CompletableFuture<>();
        calls.add(template().executeAsync("op", () -> {
            AttemptNotes statements =
                    Objects.requireNonNull(WriteScope.current()).statements();
            statements.begun(attempt);
            statements.failed(attempt, new Judged(() -> calls.get(0).cancel(true)));
            return attempt;
        }));
        attempt.completeExceptionally(NOT_APPLIED);
        assertThat(heard).containsExactly("op begins", "UNKNOWN after 1");
        assertThat(circuit.heard).containsExactly("nothing learnt");
    }

    /** Lets something happen while it is looked at. */
    private static final class Judged extends RuntimeException implements ClassifiedFailure {

        private static final long serialVersionUID = 1L;

        private final transient Runnable meanwhile;

        private Judged(Runnable meanwhile) {
            this.meanwhile = meanwhile;
        }

        @Override
        public FailureKind failureKind() {
            meanwhile.run();
            return FailureKind.UNKNOWN;
        }
    }

    /** Of a step that no attempt has waited for. */
    @ParameterizedTest
    @EnumSource(names = {"SPRING_RETRY", "ASYNC"})
    void sendsNothingAfterItHasFailed(Way way) {
        List<WriteScope> scopes = new ArrayList<>();
        assertThat(catchThrowable(() -> way.run(this, () -> {
                    scopes.add(Objects.requireNonNull(WriteScope.current()));
                    throw NOT_APPLIED;
                })))
                .isSameAs(NOT_APPLIED);
        SimpleStatement late = SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1)");
        assertThat(catchThrowable(() -> scopes.get(0).applyTo(late))).isInstanceOf(CancellationException.class);
    }

    private Object run(Way way, RuntimeException... failures) throws Throwable {
        Iterator<RuntimeException> next = List.of(failures).iterator();
        return way.run(this, () -> {
            runs.incrementAndGet();
            if (next.hasNext()) {
                throw next.next();
            }
            return "done";
        });
    }

    private ScopedRetryTemplate template() {
        ScopedRetryTemplate template = ScopedRetryTemplate.forIdempotentWrites(settings, support());
        return reads ? template.forReads() : template;
    }

    private RetrySupport support() {
        return new RetrySupport(
                new WriteTimestamps(Clock.systemUTC()),
                circuit,
                new HeardWrites(heard).registry(),
                random,
                clock,
                null);
    }

    enum Way {
        SPRING_RETRY {
            @Override
            Object run(RetryCallTests test, WriteRetryTemplate.Attempt<String> write) throws Throwable {
                return test.template().call("op", write);
            }
        },
        ASYNC {
            @Override
            Object run(RetryCallTests test, WriteRetryTemplate.Attempt<String> write) throws Throwable {
                try {
                    return test.template()
                            .executeAsync("op", () -> answer(write))
                            .get(30, TimeUnit.SECONDS);
                } catch (ExecutionException failed) {
                    throw failed.getCause();
                }
            }
        },
        MONO {
            @Override
            Object run(RetryCallTests test, WriteRetryTemplate.Attempt<String> write) throws Throwable {
                return test.template()
                        .reactive()
                        .mono("op", Mono.fromFuture(() -> answer(write)))
                        .block(Duration.ofSeconds(30));
            }
        },
        FLUX {
            @Override
            Object run(RetryCallTests test, WriteRetryTemplate.Attempt<String> write) throws Throwable {
                return test.template()
                        .reactive()
                        .flux("op", Mono.fromFuture(() -> answer(write)).flux())
                        .blockLast(Duration.ofSeconds(30));
            }
        };

        abstract Object run(RetryCallTests test, WriteRetryTemplate.Attempt<String> write) throws Throwable;

        private static CompletableFuture<String> answer(WriteRetryTemplate.Attempt<String> write) {
            try {
                return CompletableFuture.completedFuture(write.run());
            } catch (Throwable failure) {
                return CompletableFuture.failedFuture(new CompletionException(failure));
            }
        }
    }

    private static final class TestCircuit implements Circuit {

        private final List<String> heard = new ArrayList<>();
        private boolean open;
        private int opensAfter = Integer.MAX_VALUE;

        private final CompletableFuture<Void> nothingLearnt = new CompletableFuture<>();
        private int passes;
        private int atPass;
        private Runnable whenPassing = () -> {};

        @Override
        public boolean tryPass() {
            if (++passes == atPass) {
                whenPassing.run();
            }
            return !open;
        }

        @Override
        public void answered() {
            heard.add("answered");
        }

        @Override
        public void unavailable(Throwable failure) {
            heard.add("unavailable");
            open = heard.size() >= opensAfter;
        }

        @Override
        public void nothingLearnt() {
            heard.add("nothing learnt");
            nothingLearnt.complete(null);
        }
    }
}
