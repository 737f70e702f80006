package io.surewrite.internal.lwt;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.clock.WakefulClock;
import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.observe.Observed.WriteEnd;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.Backoff;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteOutcome;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a conditional write again and again until its outcome is known.
 *
 * @param delays start the re-runs after a pause; they are never blocked
 * @param nanoTime also passes while the machine sleeps
 */
public record SettlingConditionalWrites(
        Function<Statement<?>, CompletionStage<AsyncResultSet>> session,
        Function<Duration, Executor> delays,
        RandomGenerator random,
        LongSupplier nanoTime,
        ObservationRegistry observations)
        implements ConditionalWrites {

    private static final Logger log = LoggerFactory.getLogger(SettlingConditionalWrites.class);

    static final Backoff BACKOFF = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1), 2);

    public static SettlingConditionalWrites on(CqlSession session, ObservationRegistry observations) {
        return new SettlingConditionalWrites(
                ConditionalProfile.DEFAULT.on(session)::executeAsync,
                wait -> CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS),
                new Random(),
                WakefulClock.ofSystem()::nanos,
                observations);
    }

    SettlingConditionalWrites through(Function<Statement<?>, CompletionStage<AsyncResultSet>> way) {
        return new SettlingConditionalWrites(way, delays, random, nanoTime, observations);
    }

    @Override
    public CompletionStage<WriteOutcome> execute(ConditionalWrite write, Duration timeout) {
        // Retried or speculated by the driver, an answer could be lost inside it.
        Statement<?> statement =
                write.statement().setExecutionProfileName(PROFILE).setIdempotent(false);
        Settlement settlement = new Settlement(write, statement, nanoTime.getAsLong() + timeout.toNanos());
        settlement.attempt();
        return settlement.outcome;
    }

    private final class Settlement {

        private final CompletableFuture<WriteOutcome> outcome = new CompletableFuture<>();
        private final Observed observed = Observed.start(observations, "surewrite.write", "conditional", null);
        private final ConditionalWrite write;
        private final Statement<?> statement;
        private final long deadline;
        private int attempts;
        private FailureKind worst = FailureKind.OTHER;

        private Settlement(ConditionalWrite write, Statement<?> statement, long deadline) {
            this.write = write;
            this.statement = statement;
            this.deadline = deadline;
        }

        private void attempt() {
            attempts++;
            WriteScope.Opened opened = observed.open();
            try {
                session.apply(statement).whenComplete(this::answered);
            } catch (RuntimeException refused) {
                // The driver throws only before it sends anything: the statement or its profile is wrong.
                fail(refused);
            } finally {
                opened.close();
            }
        }

        private void answered(@Nullable AsyncResultSet answer, @Nullable Throwable failure) {
            try {
                if (failure == null && answer != null) {
                    decided(answer);
                } else {
                    Throwable cause = failure == null ? null : DriverFailures.unwrapped(failure);
                    undecided(cause instanceof RuntimeException known ? known : new CompletionException(cause));
                }
            } catch (RuntimeException wrong) {
                fail(wrong);
            }
        }

        private void decided(AsyncResultSet answer) {
            Row first = null;
            boolean applied = answer.wasApplied();
            if (!applied) {
                for (Row row : answer.currentPage()) {
                    // An absent row returns the column "[applied]" alone.
                    if (row.getColumnDefinitions().size() > 1) {
                        first = first == null ? row : first;
                        applied |= write.mine().test(row);
                    }
                }
            }
            end(
                    applied ? WriteEnd.SUCCEEDED : WriteEnd.REJECTED,
                    applied ? new WriteOutcome.Applied() : new WriteOutcome.Rejected(first));
        }

        private void undecided(RuntimeException failure) {
            FailureKind kind = WriteFailures.ofSentConditional(failure);
            observed.attemptFailed(attempts, kind, failure);
            // Whoever asked for it says what it was for.
            log.debug(
                    "conditional: attempt {} failed: {}, {}",
                    attempts,
                    failure.getClass().getSimpleName(),
                    kind);
            worst = worst.compareTo(kind) >= 0 ? worst : kind;
            if (kind == FailureKind.WRONG_STATEMENT) {
                fail(failure);
                return;
            }
            Duration wait = BACKOFF.afterFailures(attempts, random);
            if (nanoTime.getAsLong() + wait.toNanos() - deadline >= 0) {
                giveUp(failure);
                return;
            }
            delays.apply(wait).execute(() -> again(failure));
        }

        /** Unless the deadline has passed in the pause, as the machine slept or was busy. */
        private void again(RuntimeException failure) {
            if (nanoTime.getAsLong() - deadline >= 0) {
                giveUp(failure);
            } else {
                attempt();
            }
        }

        private void giveUp(RuntimeException failure) {
            if (worst == FailureKind.NOT_APPLIED) {
                end(WriteEnd.EXHAUSTED, new WriteOutcome.Failed(failure));
            } else {
                end(WriteEnd.UNKNOWN, new WriteOutcome.Unknown(failure));
            }
        }

        /** A statement that is wrong now may have been right, and applied, at an earlier attempt. */
        private void fail(RuntimeException failure) {
            if (worst == FailureKind.UNKNOWN) {
                giveUp(failure);
            } else {
                end(WriteEnd.FAILED, () -> outcome.completeExceptionally(failure));
            }
        }

        private void end(WriteEnd end, WriteOutcome value) {
            end(end, () -> outcome.complete(value));
        }

        private void end(WriteEnd end, Runnable completion) {
            observed.stopWrite(end, attempts);
            completion.run();
        }
    }
}
