package io.surewrite.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import io.surewrite.backlog.BacklogException;
import io.surewrite.lease.LeaseLostException;
import io.surewrite.lease.LeaseUnavailableException;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.DuplicateValueException.Violation;
import io.surewrite.unique.SupersededException;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.FakeNode;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.UnknownOutcomeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.assertj.core.util.Throwables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who called is seen in what a blocking call throws, whatever thread met it. */
class CallerStackTests {

    private static final Node NODE = FakeNode.named("one.test");
    private static final IOException CAUSE = new IOException("lost");
    private static final ExecutorService DRIVER = Executors.newSingleThreadExecutor();

    @AfterAll
    static void end() {
        DRIVER.shutdownNow();
    }

    /** Made on another thread, as by an asynchronous step. */
    private static <T> T elsewhere(Supplier<T> made) {
        try {
            return DRIVER.submit(made::get).get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Throwable aCallerWaitsFor(CompletableFuture<?> answer) {
        return catchThrowable(() -> DriverFailures.joined(answer));
    }

    private static @Nullable Throwable anotherCallerWaitsFor(CompletableFuture<?> answer) {
        return catchThrowable(() -> DriverFailures.joined(answer));
    }

    static Stream<RuntimeException> failures() {
        UniqueConstraint login = UniqueConstraint.on("login", "login");
        return elsewhere(() -> Stream.of(
                new DuplicateValueException(List.of(new Violation("login", List.of("login"), List.of("anna"))), true),
                new ClaimPendingException("login", Duration.ofMillis(7)),
                new ClaimsUnavailableException("no answer", CAUSE),
                new SupersededException("too slow"),
                new UnclaimableValueException(login, "is too long"),
                new UnknownOutcomeException("no answer", CAUSE),
                new UnknownOutcomeException("no answer", null),
                new PartlyDoneException("half of it", CAUSE, 1, 2),
                new ClockOffsetException("write", "an hour ahead"),
                new LeaseLostException("import", "lost", CAUSE),
                new LeaseUnavailableException("import", "no answer", CAUSE),
                new BacklogException(BacklogException.Reason.UNAVAILABLE, "the disk failed", CAUSE),
                new BacklogException(BacklogException.Reason.FULL, "full", null),
                DriverFailures.translated(new SyntaxError(NODE, "?")),
                new DriverTimeoutException("after 2 s"),
                DriverFailures.translated(new DriverTimeoutException("after 2 s"))));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aCallerGetsACopyOfItsOwn(RuntimeException met) {
        met.addSuppressed(CAUSE);
        String before = Throwables.getStackTrace(met);
        Throwable thrown = aCallerWaitsFor(CompletableFuture.failedFuture(met));
        assertThat(thrown)
                .isNotSameAs(met)
                .isExactlyInstanceOf(met.getClass())
                .usingRecursiveComparison(RecursiveComparisonConfiguration.builder()
                        .withIgnoredFields("stackTrace", "suppressedExceptions", "cause", "depth", "backtrace")
                        .build())
                .isEqualTo(met);
        assertThat(thrown).hasMessage(met.getMessage()).hasSuppressedException(CAUSE);
        assertThat(thrown.getCause()).isSameAs(met.getCause());
        assertThat(frames(thrown)).contains("aCallerWaitsFor");
        assertThat(Throwables.getStackTrace(met)).isEqualTo(before);
    }

    @Test
    void whatCannotBeCopiedSaysWhoCalled() {
        for (Throwable met : elsewhere(() -> List.of(
                new IllegalArgumentException("not ours"),
                new InvalidConfigurationException("final", "It is final", "Do nothing", "start"),
                new DuplicateValueException(List.of(), false) {}, // another type than its copy
                new AssertionError("an error")))) {
            Throwable thrown = aCallerWaitsFor(CompletableFuture.failedFuture(met));
            assertThat(thrown).isSameAs(met);
            assertThat(Throwables.getStackTrace(thrown))
                    .contains("Suppressed: " + CallerStack.class.getName())
                    .contains("Thread '%s' called"
                            .formatted(Thread.currentThread().getName()))
                    .contains("aCallerWaitsFor");
        }
    }

    @Test
    void whatIsThrownToManyDoesNotGrowForEver() {
        CompletableFuture<?> answer =
                CompletableFuture.failedFuture(elsewhere(() -> new IllegalStateException("closed")));
        for (int caller = 0; caller < 100; caller++) {
            int its = caller;
            elsewhere(() -> its % 2 == 0 ? aCallerWaitsFor(answer) : anotherCallerWaitsFor(answer));
        }
        assertThat(aCallerWaitsFor(answer))
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSizeBetween(1, 4));
    }

    @Test
    void whatTheCallerItselfMetStaysAsItIs() {
        List<Throwable> met = new ArrayList<>();
        assertThatThrownBy(() -> DriverFailures.joined(
                        CompletableFuture.completedFuture(1).thenApply(value -> {
                            UnknownOutcomeException failure = new UnknownOutcomeException("on this thread", null);
                            met.add(failure);
                            throw failure;
                        })))
                .satisfies(thrown -> assertThat(thrown).isSameAs(met.get(0)).hasNoSuppressedExceptions());
    }

    @Test
    void theCallerIsShownOnceWhereOneCallWaitsInAnother() {
        Throwable foreign = elsewhere(() -> new IllegalStateException("not ours"));
        assertThatThrownBy(() -> DriverFailures.joined(outer(foreign)))
                .isSameAs(foreign)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
        Throwable own = elsewhere(() -> new UnknownOutcomeException("no answer", null));
        assertThatThrownBy(() -> DriverFailures.joined(outer(own)))
                .satisfies(thrown -> assertThat(frames(thrown)).containsOnlyOnce("outer"));
    }

    private static CompletableFuture<Object> outer(Throwable inner) {
        try {
            return CompletableFuture.completedFuture(DriverFailures.joined(CompletableFuture.failedFuture(inner)));
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Where in our code it was met stands above the caller; what is not ours, and ran there, does not stand there. */
    @Test
    void showsOurStepsAndNothingElseOfTheOtherThread() {
        RuntimeException met = elsewhere(CallerStackTests::step);
        Throwable thrown = aCallerWaitsFor(CompletableFuture.failedFuture(met));
        assertThat(frames(met)).startsWith("step").contains("runWorker");
        assertThat(frames(thrown)).startsWith("step");
        assertThat(frames(thrown).get(1)).contains("aCallerWaitsFor");
    }

    private static RuntimeException step() {
        return new SupersededException("too slow");
    }

    private static List<String> frames(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .map(StackTraceElement::getMethodName)
                .toList();
    }
}
