package io.surewrite.overwrite;

/**
 * What a query read.
 *
 * @param liveRows rows that had something to say
 * @param tombstones dead cells and dead rows on the way, as the server counts them for its warnings
 */
public record TombstoneCount(long liveRows, long tombstones) {

    TombstoneCount plus(TombstoneCount other) {
        return new TombstoneCount(liveRows + other.liveRows, tombstones + other.tombstones);
    }
}
