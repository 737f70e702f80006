package io.surewrite.unique;

import java.util.UUID;

/**
 * The timestamp of one round of claims and writes, pinned immediately before its first statement is sent.
 *
 * @param timestamp of the row's write and of its claims, in microseconds
 * @param claimId the id of the claims
 * @param deadline until when the row must be there, on the monotonic clock
 */
record Pin(long timestamp, UUID claimId, long deadline) {}
