package io.surewrite.unique;

import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A value that a row is to have. Where it decides the owner, as a natural key does, only one origin may have the claim. */
record WantedValue(UniqueConstraint constraint, UniqueValue value, ClaimKey key, boolean decidesOwner) {

    /** In characters, of which each takes three bytes at most. */
    private static final int LONGEST_KEY = UniqueValue.MAX_BYTES / 3;

    static WantedValue of(UniqueConstraint constraint, UniqueValue value) {
        return new WantedValue(constraint, value, keyOf(constraint, value), false);
    }

    /** The key of the claim that a row itself has. A primary key that is too long for one is hashed. */
    static ClaimKey ofRow(ConstrainedRows rows, String owner) {
        return new ClaimKey(rows.rowClaim(), owner.length() <= LONGEST_KEY ? owner : "sha-256 " + sha256(owner));
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never); // every platform has it
        }
    }

    static List<WantedValue> allOf(ConstrainedRows rows, EntityWrite write, boolean isInsert) {
        List<WantedValue> wanted = new ArrayList<>();
        for (UniqueConstraint constraint : rows.constraints()) {
            UniqueValue value = write.values().apply(constraint);
            value.checkLength(constraint);
            if (constraint.claims(value)) {
                boolean decidesOwner = isInsert && rows.isNaturalKey(constraint);
                wanted.add(new WantedValue(constraint, value, keyOf(constraint, value), decidesOwner));
            }
        }
        return wanted;
    }

    static List<ClaimKey> keysOf(List<UniqueConstraint> constraints, RowSnapshot row) {
        List<ClaimKey> keys = new ArrayList<>();
        for (UniqueConstraint constraint : constraints) {
            row.value(constraint).ifPresent(value -> keys.add(keyOf(constraint, value)));
        }
        return keys;
    }

    static ClaimKey keyOf(UniqueConstraint constraint, UniqueValue value) {
        return new ClaimKey(constraint.name(), value.encoded());
    }

    boolean isCarriedBy(RowSnapshot row) {
        return row.value(constraint).filter(value::equals).isPresent();
    }
}
