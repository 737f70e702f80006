package io.surewrite.overwrite;

import io.surewrite.write.Internal;

/**
 * What overwrites may do.
 *
 * @param maxBytes the most that the values of one overwrite may take, in bytes. The server's own limit for batches does
 *     not hold for a single mutation, so this one stands in
 * @param allowLists whether non-frozen lists may be written; such writes are not marked idempotent, because repeating
 *     them duplicates the elements
 * @param sureLevel whether overwrites go out at the session's {@link io.surewrite.internal.session.SureLevel} where neither they nor the
 *     configuration choose a level
 */
@Internal
public record OverwriteSettings(long maxBytes, boolean allowLists, boolean sureLevel) {}
