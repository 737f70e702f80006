package io.surewrite.unique;

import java.util.Optional;

/**
 * Looks after the claims of whole tables: builds them for rows that were there before the constraint, compares claims and
 * rows, and fixes what differs. All of it runs while the application writes; every writer must use the guard already.
 *
 * <p>A call blocks until it is done, which for a large table takes long: it sends one conditional write or one read for
 * each row, some at a time. It ends by a {@link ClaimsUnavailableException} when the cluster gives no clear answer, and an
 * {@link IllegalStateException} when its thread is interrupted; calling it again is always safe.
 */
public interface UniqueConstraints {

    /**
     * Claims the value of every row that is there. A build that was not finished, in whichever process, goes on where it
     * was. Rows whose value another row has stay without a claim and are reported; which of them is right is for people to
     * decide. After that, build again.
     *
     * @param constraint the name of a constraint
     * @return what was found since the build began
     * @throws IllegalArgumentException if no repository of this application has the constraint
     */
    UniqueReport build(String constraint);

    /**
     * Compares claims and rows. Changes nothing.
     *
     * @param constraint the name of a constraint
     * @return what was found
     * @throws IllegalArgumentException if no repository of this application has the constraint
     */
    default UniqueReport audit(String constraint) {
        return repair(constraint, true);
    }

    /**
     * Compares claims and rows, claims the values of rows that have no claim, and removes claims whose row does not have
     * the value and whose writer is gone.
     *
     * @param constraint the name of a constraint
     * @param dryRun whether to change nothing
     * @return what was found, and what was fixed
     * @throws IllegalArgumentException if no repository of this application has the constraint
     */
    UniqueReport repair(String constraint, boolean dryRun);

    /**
     * What is known of a constraint: how far a build is, or how the last one ended.
     *
     * @param constraint the name of a constraint
     * @return the report of the last build, as far as it is, or empty if there never was one
     * @throws IllegalArgumentException if no repository of this application has the constraint
     */
    Optional<UniqueReport> lastBuild(String constraint);
}
