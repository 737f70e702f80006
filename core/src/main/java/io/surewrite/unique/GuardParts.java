package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the classes of the protocol work with; the simulation brings its own of each. */
record GuardParts(
        ClaimStore claims,
        UniqueTime time,
        UniqueRules rules,
        UniqueSettings settings,
        long process,
        Supplier<UUID> ids,
        DoubleSupplier random,
        ObservationRegistry observations) {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    static GuardParts of(
            CqlSession session, CassandraClaimStore claims, UniqueSettings settings, ObservationRegistry observations) {
        return new GuardParts(
                claims,
                UniqueTime.of(WriteTimestamps.of(session)),
                new UniqueRules(),
                settings,
                UUID.randomUUID().getMostSignificantBits(),
                UUID::randomUUID,
                () -> ThreadLocalRandom.current().nextDouble(),
                observations);
    }

    /** How long to wait before the next try, in nanoseconds: growing, with jitter. */
    long pause(int tries) {
        long bound = Math.min(LONGEST_PAUSE.toNanos(), FIRST_PAUSE.toNanos() << Math.min(tries, 10));
        return bound / 2 + (long) (bound / 2.0 * random.getAsDouble());
    }

    <T extends @Nullable Object> CompletionStage<T> after(long nanos, Supplier<CompletionStage<T>> next) {
        CompletableFuture<Boolean> timer = new CompletableFuture<>();
        time.after(nanos, () -> timer.complete(true));
        return timer.thenCompose(due -> next.get());
    }

    /**
     * Sends a request that may be sent again, such as a read, in a call of its own that begins now: until it has an answer,
     * or with the last failure, when that is not one that passes or the time of a call is over.
     */
    <T extends @Nullable Object> CompletionStage<T> repeat(Supplier<CompletionStage<T>> request) {
        return repeat(time.nanos(), 0, request);
    }

    <T extends @Nullable Object> CompletionStage<T> repeat(
            long startedAt, int failures, Supplier<CompletionStage<T>> request) {
        CompletionStage<T> sent;
        try {
            sent = request.get();
        } catch (RuntimeException refused) { // an Error is the caller's: it says nothing of the cluster
            sent = Stages.failed(refused);
        }
        return sent.exceptionallyCompose(thrown -> {
            Throwable failure = DriverFailures.unwrapped(thrown);
            long pause = pause(failures);
            boolean inTime =
                    time.nanos() + pause - startedAt < settings.timeout().toNanos();
            if (!inTime || !WriteFailures.ofPlain(failure).isRetryable()) {
                return Stages.failed(failure);
            }
            try {
                return after(pause, () -> repeat(startedAt, failures + 1, request));
            } catch (RuntimeException shutDown) {
                failure.addSuppressed(shutDown);
                return Stages.failed(failure);
            }
        });
    }
}
