package io.surewrite.unique;

import java.time.Duration;

/**
 * A row of the table of claims.
 *
 * @param claim who has the value
 * @param contested whether somebody is about to take it over
 * @param leased whether its writer may still be at work
 * @param leaseLeft how long at most; known only to reads
 */
record SeenClaim(Claim claim, boolean contested, boolean leased, Duration leaseLeft) {

    SeenClaim(Claim claim, boolean contested, boolean leased) {
        this(claim, contested, leased, Duration.ZERO);
    }

    boolean isOf(String owner) {
        return claim.owner().equals(owner);
    }
}
