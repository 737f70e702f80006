package io.surewrite.unique;

import java.util.List;

/**
 * A value that is claimed.
 *
 * @param constraint the constraint
 * @param value the value
 * @param key both together, as the table of claims knows them
 * @param decidesOwner whether only one origin may have the claim, because the value alone says which row has it
 */
record Target(UniqueConstraint constraint, UniqueValue value, ClaimKey key, boolean decidesOwner) {

    static Target of(UniqueConstraint constraint, UniqueValue value, boolean decidesOwner) {
        return new Target(constraint, value, keyOf(constraint, value), decidesOwner);
    }

    /** The claim of a row itself, which has no other owner. */
    static Target ofRow(UniqueConstraint constraint, String owner) {
        List<String> key = List.of(owner);
        UniqueValue value = new UniqueValue(key, key);
        value.checkLength(constraint);
        return new Target(constraint, value, new ClaimKey(constraint.name(), owner), false);
    }

    static ClaimKey keyOf(UniqueConstraint constraint, UniqueValue value) {
        return new ClaimKey(constraint.name(), value.encoded());
    }

    boolean isCarriedBy(RowSnapshot row) {
        return row.exists() && row.value(constraint).isSame(value);
    }
}
