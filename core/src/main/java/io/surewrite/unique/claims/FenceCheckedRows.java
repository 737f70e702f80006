package io.surewrite.unique.claims;

import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Rows of which this process knows that no fence can remove what they show: it has looked at the claim of the row after it
 * had seen the row. That stays so, because a later fence finds the row. Each place is for one row, so it never
 * grows and no thread waits; a row that was pushed out is looked at once more.
 */
final class FenceCheckedRows {

    private static final int PLACES = 1 << 14;

    private final AtomicReferenceArray<@Nullable Shown> places = new AtomicReferenceArray<>(PLACES);

    /**
     * A row and what it shows.
     *
     * @param row the key of its claim
     * @param written the oldest timestamp of its constrained columns
     * @param values its values; two writes may have one timestamp
     */
    record Shown(ClaimKey row, long written, List<UniqueValue> values) {}

    /** Remembers that what the row shows stays, unless nothing of it has a timestamp. */
    void add(Shown shown) {
        if (shown.written() != RowSnapshot.NEVER) {
            places.set(place(shown.row()), shown);
        }
    }

    boolean contains(Shown shown) {
        return shown.equals(places.get(place(shown.row())));
    }

    private static int place(ClaimKey row) {
        int hash = row.hashCode();
        return (hash ^ hash >>> 16) & PLACES - 1;
    }
}
