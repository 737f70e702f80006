package io.surewrite.unique;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ClaimStore.SeenClaim;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A request of a {@link ScriptedGuard} that waits for its answer. */
final class Sent {

    final String what;
    final @Nullable Claim claim;
    final @Nullable UUID seen;
    final @Nullable UUID id;
    final long timestamp;
    private final CompletableFuture<Object> answer = new CompletableFuture<>();

    Sent(String what, @Nullable Claim claim, @Nullable UUID seen, @Nullable UUID id, long timestamp) {
        this.what = what;
        this.claim = claim;
        this.seen = seen;
        this.id = id;
        this.timestamp = timestamp;
    }

    Claim claim() {
        return Objects.requireNonNull(claim);
    }

    /** A claim was made, or a row was written. */
    void done() {
        answer.complete(new ClaimAnswer.Done());
    }

    void refused(@Nullable SeenClaim by) {
        answer.complete(new ClaimAnswer.Refused(by));
    }

    void fails(RuntimeException failure) {
        answer.completeExceptionally(failure);
    }

    /** The row was read. */
    void shows(ShownRow row) {
        answer.complete(row);
    }

    /** The claim was read. */
    void finds(@Nullable SeenClaim found) {
        answer.complete(Optional.ofNullable(found));
    }

    /** The row is fenced so high. */
    void isFencedAt(long timestamp) {
        answer.complete(timestamp);
    }

    @SuppressWarnings("unchecked")
    <T> CompletionStage<T> stage() {
        return (CompletionStage<T>) answer;
    }

    static RuntimeException lost() {
        return new DriverTimeoutException("no answer");
    }

    static RuntimeException neverSent() {
        return new RequestThrottlingException("too many requests");
    }

    static RuntimeException wrong() {
        return new InvalidQueryException(null, "no such column");
    }
}
