package io.surewrite.overwrite;

/**
 * What overwrites may do.
 *
 * @param maxBytes the most that the values of one overwrite may take, in bytes. The server's own limit for batches does
 *     not hold for a single mutation, so this one stands in
 * @param allowLists whether non-frozen lists may be written; such writes are not marked idempotent, because repeating
 *     them duplicates the elements
 */
public record OverwriteSettings(long maxBytes, boolean allowLists) {

    private static final int ONE_MEBIBYTE = 1 << 20;

    /**
     * The defaults: one mebibyte, no lists.
     *
     * @return the settings
     */
    public static OverwriteSettings defaults() {
        return new OverwriteSettings(ONE_MEBIBYTE, false);
    }
}
