package io.surewrite.unique;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps values unique that are no column of an entity: at any time at most one owner has a value. Values of entities need
 * {@link UniqueBy} alone.
 *
 * <p>Success means that the owner has the value. A failure means that the call has no effect and never will.
 * {@link io.surewrite.write.UnknownOutcomeException} is the exception to both: the cluster stayed unreachable, or another
 * operation built on this one; calling the same again settles it. A caller that dies blocks a value for others no longer
 * than the lease and one second, counted from the first that wants it.
 *
 * <p>While clocks are known to be further apart than the margin, nothing new is claimed, and while that of this process
 * is known to be wrong, nothing is written: {@link io.surewrite.write.ClockOffsetException}, and nothing has changed.
 *
 * <p>Inside a {@link io.surewrite.write.WriteScope}, such as a retry's, the scope's timestamp is used as long as it is
 * young enough.
 *
 * <p>The asynchronous methods never block; their stages complete with the same exceptions.
 */
public interface UniqueGuard {

    /**
     * Claims a value, for good. An owner has at most one value of a constraint: claiming another one frees the first.
     *
     * @param constraint a constraint that no table uses; the columns of its components do not matter
     * @param owner the owner, such as {@code user:42}
     * @param value the components' values, of the driver's types
     * @throws DuplicateValueException if another owner has the value
     * @throws ClaimPendingException if another write of the value does not finish in time
     * @throws ClaimsUnavailableException if the cluster gives no clear answer before anything is written
     */
    void claim(UniqueConstraint constraint, String owner, @Nullable Object... value);

    /** Claims a value, see {@link #claim}. */
    CompletionStage<Void> claimAsync(UniqueConstraint constraint, String owner, UniqueValue value);

    /** Frees the value that an owner has by {@link #claim}, if any. */
    void release(UniqueConstraint constraint, String owner);

    /** Frees the value that an owner has, see {@link #release}. */
    CompletionStage<Void> releaseAsync(UniqueConstraint constraint, String owner);

    /** {@return the owner that has a value by {@link #claim}, or empty} */
    Optional<String> findOwner(UniqueConstraint constraint, @Nullable Object... value);

    /** {@return since when the cluster has given no clear answer about unique values; null while it gives some} */
    default @Nullable Instant unclearSince() {
        return null;
    }
}
