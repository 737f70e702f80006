package io.surewrite.unique;

import java.util.Optional;

/**
 * Looks after the claims of whole tables: compares claims and rows, and fixes what differs, so that rows get their claims
 * that were there before the constraint. All of it runs while the application writes; every writer must use the guard already.
 *
 * <p>A call blocks until it is done, which for a large table takes long: it sends a read for each row and claim, and a
 * conditional write for each that is fixed, some at a time. It ends by a {@link ClaimsUnavailableException} when the cluster
 * gives no clear answer, and an {@link IllegalStateException} when its thread is interrupted; calling it again is always
 * safe.
 *
 * <p>Each takes the name of a constraint, and throws an {@link IllegalArgumentException} if no repository of this application
 * has it.
 */
public interface UniqueConstraints {

    /** Compares claims and rows. Changes nothing. */
    UniqueReport audit(String constraint);

    /**
     * Compares claims and rows, and claims the values of rows that have no claim. Rows whose value another row has stay without
     * one and are reported; which of them is right is for people to decide. After that, repair again. The first repair of a
     * constraint does no more. Each one after it also removes claims whose row does not have the value and whose writer is
     * gone.
     *
     * <p>A repair that was ended within the last day, in whichever process, is gone on with. The report is about all of it.
     */
    UniqueReport repair(String constraint);

    /** {@return the report of the last repair, as far as it is, or empty if there never was one} */
    Optional<UniqueReport> lastRepair(String constraint);
}
