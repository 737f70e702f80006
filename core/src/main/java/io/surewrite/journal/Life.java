package io.surewrite.journal;

import io.surewrite.journal.JournalSettings.BucketLength;
import java.security.SecureRandom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * From an entity's first entry to the day it is forgotten. What is recorded after that belongs to another life, whose rows
 * have other keys: the tombstones of the one before do not reach them.
 *
 * @param generation part of the keys of all rows of this life; empty where there is none
 * @param periods how long its buckets are, and since when: a text such as {@code MONTH,2026-12=DAY} says days since December,
 *     and months before. It only ever gets finer, and for buckets that have not begun. Empty if no process has written it yet
 * @param lists how many buckets were listed since there is a row; each process that lists one raises it
 */
record Life(State state, String generation, String periods, long lists) {

    enum State {
        /** There is no row: the entity has no entries. */
        UNWRITTEN,
        ALIVE,
        /** It has ended, and a process erases what it leaves. */
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

    static Life unwritten(String generation, BucketLength length) {
        return new Life(State.UNWRITTEN, generation, length.name(), 0);
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
        return state == State.ALIVE;
    }

    boolean isSame(Life other) {
        return state == other.state && generation.equals(other.generation);
    }

    Life ended() {
        return new Life(State.ENDED, generation, periods, lists);
    }

    /** The same life once one bucket more is listed, after what was seen in the row. */
    Life withOneMore(Life seen) {
        return new Life(State.ALIVE, generation, periods, seen.lists + 1);
    }

    String partition(String bucket) {
        return generation + "/" + bucket;
    }

    String bucketOf(Instant at) {
        return lengthAt(at).bucketOf(at);
    }

    private BucketLength lengthAt(Instant at) {
        if (periods.indexOf(',') < 0) {
            return BucketLength.valueOf(periods);
        }
        String[] steps = periods.split(",", -1);
        BucketLength length = BucketLength.valueOf(steps[0]);
        for (int i = 1; i < steps.length; i++) {
            String[] step = steps[i].split("=", -1);
            if (at.isBefore(BucketLength.start(step[0]))) {
                break;
            }
            length = BucketLength.valueOf(step[1]);
        }
        return length;
    }

    /** The same, but with shorter buckets from a bucket on, which has not begun; the same if there are none. */
    Life finerFrom(String bucket) {
        BucketLength length = lengthAt(BucketLength.start(bucket));
        return length == BucketLength.HOUR
                ? this
                : new Life(state, generation, periods + "," + bucket + "=" + length.finer(), lists);
    }
}
