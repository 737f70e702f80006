package io.surewrite.unique;

import io.surewrite.write.Internal;

/**
 * How whole tables are looked at.
 *
 * @param inFlight how many rows at a time
 * @param rowsPerSecond how many rows in a second at most; 0 for as many as go
 * @param pageSize how many rows are read at once, and so are in memory
 * @param slices in how many parts the table is looked at: a power of two; a repair that was ended repeats less than a part
 */
@Internal
public record UniqueScanSettings(int inFlight, int rowsPerSecond, int pageSize, int slices) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException saying which value is wrong
     */
    public UniqueScanSettings {
        if (inFlight < 1 || rowsPerSecond < 0 || pageSize < 1) {
            throw new IllegalArgumentException(
                    "in-flight and page-size must be positive, and rows-per-second must not be negative");
        }
        if (slices < 2 || Integer.bitCount(slices) != 1) {
            throw new IllegalArgumentException("slices must be a power of two, such as 1024, but is " + slices);
        }
    }
}
