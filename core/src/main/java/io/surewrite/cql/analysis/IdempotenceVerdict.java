package io.surewrite.cql.analysis;

import java.util.List;

/**
 * What {@link IdempotenceCheck} found.
 *
 * @param refusals every reason against a retry that was found; empty if the write may be retried
 * @param ownTimestamp whether the text states a timestamp of its own ({@code USING TIMESTAMP}). The server gives it
 *     precedence over the pinned one, which still counts for the statements of a batch that state none
 * @param facts what it writes; of a refused write as far as it was understood
 */
public record IdempotenceVerdict(List<Refusal> refusals, boolean ownTimestamp, WriteFacts facts) {

    /** Copies the list. */
    public IdempotenceVerdict {
        refusals = List.copyOf(refusals);
    }

    /** Whether running the write again with the same values and the same timestamp changes nothing. */
    public boolean isIdempotent() {
        return refusals.isEmpty();
    }
}
