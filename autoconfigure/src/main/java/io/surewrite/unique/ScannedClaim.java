package io.surewrite.unique;

/**
 * A claim as a scan showed it.
 *
 * @param key which value
 * @param seen what was seen
 */
record ScannedClaim(ClaimKey key, SeenClaim seen) {}
