package io.surewrite.journal;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * From an entity's first entry to the day it is forgotten. What is recorded after that belongs to another life, whose rows
 * have other keys: the tombstones of the one before do not reach them.
 *
 * @param state what the row of the entity says
 * @param generation part of the keys of all rows of this life; empty for entities of the first version of the tables
 * @param periods of its buckets, see {@link Periods}; empty if no process has written them yet
 * @param lists how many buckets were listed since there is a row; whoever lists one raises it
 */
record Life(State state, String generation, String periods, long lists) {

    enum State {
        /** There is no row: the entity has no entries, or those that the first version wrote. */
        UNWRITTEN,
        ALIVE,
        /** It has ended, and somebody erases what it leaves. */
        ENDED,
        /** What it left is erased. The row goes after a day. */
        FORGOTTEN
    }

    static final Life NONE = new Life(State.UNWRITTEN, "", "", 0);

    static final String FORGOTTEN = "?";
    private static final String ALIVE = "+";
    private static final String ENDED = "-";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BASE = 36;

    static Life of(@Nullable String stored, @Nullable String periods, long lists) {
        if (stored == null) {
            return NONE;
        }
        State state = stored.startsWith(ALIVE) ? State.ALIVE : stored.startsWith(ENDED) ? State.ENDED : State.FORGOTTEN;
        return new Life(state, stored.substring(1), periods == null ? "" : periods, lists);
    }

    static String newGeneration() {
        return Long.toString(RANDOM.nextLong() >>> 1, BASE);
    }

    /** What stands in the column, or null if there is no row. */
    @Nullable
    String stored() {
        return switch (state) {
            case UNWRITTEN -> null;
            case ALIVE -> ALIVE + generation;
            case ENDED -> ENDED + generation;
            case FORGOTTEN -> FORGOTTEN;
        };
    }

    boolean isReadable() {
        return state == State.ALIVE || state == State.UNWRITTEN;
    }

    boolean isSame(Life other) {
        return state == other.state && generation.equals(other.generation);
    }

    Life ended() {
        return new Life(State.ENDED, generation, periods, lists);
    }

    /** The key of a bucket's partition. */
    String partition(String bucket) {
        return generation.isEmpty() ? bucket : generation + "/" + bucket;
    }
}
