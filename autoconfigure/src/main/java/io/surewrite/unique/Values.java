package io.surewrite.unique;

import java.util.ArrayList;
import java.util.List;

/** Which values of a row are claimed. */
final class Values {

    private Values() {}

    /** The values that an existing row has. */
    static List<ClaimKey> claimed(ConstrainedRows rows, RowSnapshot row) {
        List<ClaimKey> keys = new ArrayList<>();
        for (UniqueConstraint constraint : rows.constraints()) {
            UniqueValue value = row.value(constraint);
            if (row.exists() && constraint.claims(value)) {
                keys.add(Target.keyOf(constraint, value));
            }
        }
        return keys;
    }

    /** The values that an existing row has, and the row itself. */
    static List<ClaimKey> claimedWithRow(GuardCall call, RowSnapshot row) {
        List<ClaimKey> keys = claimed(call.rows(), row);
        call.rowTarget(row.owner()).map(Target::key).ifPresent(keys::add);
        return keys;
    }

    /**
     * The values that a row is to have.
     *
     * @param isInsert whether a constraint on the primary key tells this call from others
     */
    static List<Target> targets(ConstrainedRows rows, EntityWrite write, boolean isInsert) {
        List<Target> targets = new ArrayList<>();
        for (UniqueConstraint constraint : rows.constraints()) {
            UniqueValue value = write.value(constraint);
            value.checkLength(constraint);
            if (constraint.claims(value)) {
                targets.add(Target.of(constraint, value, isInsert && rows.isNaturalKey(constraint)));
            }
        }
        return targets;
    }
}
