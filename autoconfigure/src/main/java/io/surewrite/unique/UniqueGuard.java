package io.surewrite.unique;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows so that at any time at most one row, visible at quorum, carries a value of a constraint. Every writer of
 * the constrained columns must go through a guard.
 *
 * <p>Success means that the row and its claims are there. A failure means that the write has no effect and never will.
 * {@link io.surewrite.cql.UnknownOutcomeException} is the exception to both: the cluster stayed unreachable, or another
 * operation built on the row; calling the same again settles it. A caller that dies blocks a value for others no longer
 * than the lease and one second, counted from the first who wants it.
 *
 * <p>While clocks are known to be further apart than the margin, nothing new is claimed, and while that of this process
 * is known to be wrong, nothing is written: {@link io.surewrite.cql.ClockOffsetException}, and nothing has changed.
 *
 * <p>Inside a {@link io.surewrite.cql.WriteScope}, such as a retry's, the scope's timestamp is used as long as it is
 * young enough.
 *
 * <p>The blocking methods run the steps of {@link EntityWrite} on the calling thread. The asynchronous ones never block;
 * their stages complete with the same exceptions.
 */
public interface UniqueGuard {

    /**
     * Writes a new row: one conditional write for each constraint, all at once, then the row.
     *
     * @param rows the table
     * @param write the row; its primary key is fresh, made for this call, unless a constraint is on the primary key
     * @throws DuplicateValueException if other rows have one or more of the values
     * @throws ClaimPendingException if another write of a value does not finish in time
     * @throws ClaimsUnavailableException if the cluster gives no clear answer before the row is written
     */
    void insert(ConstrainedRows rows, EntityWrite write);

    /**
     * Writes a new row, see {@link #insert}.
     *
     * @param rows the table
     * @param write the row
     * @return completes when the row and its claims are there
     */
    CompletionStage<Void> insertAsync(ConstrainedRows rows, EntityWrite write);

    /**
     * Writes a row that may exist: claims its new values, writes it, and frees its old values. If no constrained value
     * changes, only the other columns are written, after two reads and without a conditional write.
     *
     * @param rows the table
     * @param write the row
     * @throws DuplicateValueException if other rows have one or more of the values
     * @throws ClaimPendingException if another write of a value does not finish in time
     * @throws ClaimsUnavailableException if the cluster gives no clear answer before the row is written
     */
    void change(ConstrainedRows rows, EntityWrite write);

    /**
     * Writes a row that may exist, see {@link #change}.
     *
     * @param rows the table
     * @param write the row
     * @return completes when the row and its claims are there and the old values are free
     */
    CompletionStage<Void> changeAsync(ConstrainedRows rows, EntityWrite write);

    /**
     * Writes a row that may exist, always as a whole and always with its values claimed anew: for overwrites, whose
     * write deletes what was there.
     *
     * @param rows the table
     * @param write the row
     * @throws DuplicateValueException if other rows have one or more of the values
     * @throws ClaimPendingException if another write of a value does not finish in time
     * @throws ClaimsUnavailableException if the cluster gives no clear answer before the row is written
     */
    void overwrite(ConstrainedRows rows, EntityWrite write);

    /**
     * Overwrites a row, see {@link #overwrite}.
     *
     * @param rows the table
     * @param write the row
     * @return completes when the row and its claims are there and the old values are free
     */
    CompletionStage<Void> overwriteAsync(ConstrainedRows rows, EntityWrite write);

    /**
     * Deletes a row and frees its values.
     *
     * @param rows the table
     * @param owner the row's canonical primary key
     */
    void delete(ConstrainedRows rows, String owner);

    /**
     * Deletes a row, see {@link #delete}.
     *
     * @param rows the table
     * @param owner the row's canonical primary key
     * @return completes when the row is gone and its values are free
     */
    CompletionStage<Void> deleteAsync(ConstrainedRows rows, String owner);

    /**
     * Finds the row that has a value: two reads at quorum, no index.
     *
     * @param rows the table
     * @param constraint one of its constraints
     * @param value the components' values, of the driver's types
     * @return the row's canonical primary key, or empty if no row has the value
     */
    Optional<String> findOwner(ConstrainedRows rows, UniqueConstraint constraint, @Nullable Object... value);

    /**
     * Finds the row that has a value, see {@link #findOwner(ConstrainedRows, UniqueConstraint, Object...)}.
     *
     * @param rows the table
     * @param constraint one of its constraints
     * @param value the value
     * @return becomes the row's canonical primary key, or empty
     */
    CompletionStage<Optional<String>> findOwnerAsync(
            ConstrainedRows rows, UniqueConstraint constraint, UniqueValue value);

    /**
     * Claims a value that is no column of an entity, for good. An owner has at most one value of a constraint: claiming
     * another one frees the first.
     *
     * @param constraint a constraint that no table uses; the columns of its components do not matter
     * @param owner who wants the value, such as {@code user:42}
     * @param value the components' values, of the driver's types
     * @throws DuplicateValueException if another owner has the value
     * @throws ClaimPendingException if another write of the value does not finish in time
     * @throws ClaimsUnavailableException if the cluster gives no clear answer before anything is written
     */
    void claim(UniqueConstraint constraint, String owner, @Nullable Object... value);

    /**
     * Claims a value, see {@link #claim}.
     *
     * @param constraint the constraint
     * @param owner who wants the value
     * @param value the value
     * @return completes when the owner has the value
     */
    CompletionStage<Void> claimAsync(UniqueConstraint constraint, String owner, UniqueValue value);

    /**
     * Frees the value that an owner has by {@link #claim}, if any.
     *
     * @param constraint the constraint
     * @param owner who has a value
     */
    void release(UniqueConstraint constraint, String owner);

    /**
     * Frees the value that an owner has, see {@link #release}.
     *
     * @param constraint the constraint
     * @param owner who has a value
     * @return completes when the value is free
     */
    CompletionStage<Void> releaseAsync(UniqueConstraint constraint, String owner);

    /**
     * Finds the owner that has a value by {@link #claim}.
     *
     * @param constraint the constraint
     * @param value the components' values, of the driver's types
     * @return the owner, or empty if nobody has the value
     */
    Optional<String> findOwner(UniqueConstraint constraint, @Nullable Object... value);
}
