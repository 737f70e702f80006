package io.surewrite.unique.claims;

import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import java.util.ArrayList;
import java.util.List;

/**
 * A value that a row is to have, or may have.
 *
 * @param constraint the constraint
 * @param value the value
 * @param key both together, as the table of claims knows them
 * @param decidesOwner whether only one origin may have the claim, because the value alone says which row has it
 */
record WantedValue(UniqueConstraint constraint, UniqueValue value, ClaimKey key, boolean decidesOwner) {

    static WantedValue of(UniqueConstraint constraint, UniqueValue value) {
        return new WantedValue(constraint, value, keyOf(constraint, value), false);
    }

    /** The claim of a row itself, which has no other owner. */
    static WantedValue ofRow(UniqueConstraint constraint, String owner) {
        List<String> key = List.of(owner);
        UniqueValue value = new UniqueValue(key, key);
        value.checkLength(constraint);
        return new WantedValue(constraint, value, new ClaimKey(constraint.name(), owner), false);
    }

    /**
     * All values that a row is to have.
     *
     * @param isInsert whether a constraint on the primary key tells this call from others
     */
    static List<WantedValue> allOf(ConstrainedRows rows, EntityWrite write, boolean isInsert) {
        List<WantedValue> wanted = new ArrayList<>();
        for (UniqueConstraint constraint : rows.constraints()) {
            UniqueValue value = write.value(constraint);
            value.checkLength(constraint);
            if (constraint.claims(value)) {
                boolean decidesOwner = isInsert && rows.isNaturalKey(constraint);
                wanted.add(new WantedValue(constraint, value, keyOf(constraint, value), decidesOwner));
            }
        }
        return wanted;
    }

    /** The values that an existing row has. */
    static List<ClaimKey> keysOf(ConstrainedRows rows, RowSnapshot row) {
        return rows.constraints().stream()
                .filter(constraint -> row.exists() && constraint.claims(row.value(constraint)))
                .map(constraint -> keyOf(constraint, row.value(constraint)))
                .toList();
    }

    static ClaimKey keyOf(UniqueConstraint constraint, UniqueValue value) {
        return new ClaimKey(constraint.name(), value.encoded());
    }

    boolean isCarriedBy(RowSnapshot row) {
        return row.exists() && row.value(constraint).isSame(value);
    }
}
