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
 */
public interface UniqueConstraints {

    /**
     * Compares claims and rows. Changes nothing.
     *
     * @param constraint the name of a constraint
     * @return what was found
     * @throws IllegalArgumentException if no repository of this application has the constraint
     */
    UniqueReport audit(String constraint);

    /**
     * Compares claims and rows, and claims the values of rows that have no claim. Rows whose value another row has stay without
     * one and are reported; which of them is right is for people to decide. After that, repair again. The first repair of a
     * constraint does no more. Each one after it also removes claims whose row does not have the value and whose writer is
     * gone.
     *
     * <p>A repair that was ended within the last day, in whichever process, is gone on with. The report is about all of it.
     *
     * @param constraint the name of a constraint
     * @return what was found, and what was fixed
     * @throws IllegalArgumentException if no repository of this application has the constraint
     */
    UniqueReport repair(String constraint);

    /**
     * What is known of a constraint: how far a repair is, or how the last one ended.
     *
     * @param constraint the name of a constraint
     * @return the report of the last repair, as far as it is, or empty if there never was one
     * @throws IllegalArgumentException if no repository of this application has the constraint
     */
    Optional<UniqueReport> lastRepair(String constraint);
}
