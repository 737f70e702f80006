package io.surewrite.unique;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A claim as it is to be written, or as a statement met it.
 *
 * @param owner the canonical primary key of the row that may have the value
 * @param claimId new whenever the claim is made or made again
 * @param originId the call that first made it; null where a rejected statement did not show it
 * @param writeTs no write that gives the owner the value has a later timestamp
 */
record Claim(String owner, UUID claimId, @Nullable UUID originId, long writeTs) {}
