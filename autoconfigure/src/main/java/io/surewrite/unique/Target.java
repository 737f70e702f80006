package io.surewrite.unique;

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

    static ClaimKey keyOf(UniqueConstraint constraint, UniqueValue value) {
        return new ClaimKey(constraint.name(), value.encoded());
    }

    boolean isCarriedBy(RowSnapshot row) {
        return row.exists() && row.value(constraint).isSame(value);
    }
}
