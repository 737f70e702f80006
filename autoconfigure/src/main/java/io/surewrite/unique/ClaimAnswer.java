package io.surewrite.unique;

import org.jspecify.annotations.Nullable;

/** What became of one conditional write on the table of claims. */
sealed interface ClaimAnswer {

    /** It is in effect. */
    record Done() implements ClaimAnswer {}

    /**
     * It is not in effect: the claim was another.
     *
     * @param seen what it met, as far as the statement's condition names it; null if there is no such claim
     */
    record Refused(@Nullable SeenClaim seen) implements ClaimAnswer {}

    /**
     * Nobody knows, and it may still come into effect.
     *
     * @param cause the last failure
     */
    record Unclear(Throwable cause) implements ClaimAnswer {}
}
