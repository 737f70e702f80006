package io.surewrite.journal;

import io.surewrite.journal.JournalSettings.BucketLength;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * From an entity's first entry to the day it is forgotten. What is recorded after that belongs to another life, whose rows
 * have other keys: the tombstones of the one before do not reach them.
 *
 * @param stored what stands in the column: whether the life goes on, and the generation, which is part of the keys of all its
 *     rows; null if there is no row, and no entries
 * @param periods how long its buckets are, and since when: a text such as {@code MONTH,2026-12=DAY} says days since December,
 *     and months before. It only ever gets finer, and for buckets that have not begun. Empty if no process has written it yet
 * @param lists how many buckets were listed since there is a row; each process that lists one raises it
 */
record Life(@Nullable String stored, String periods, long lists) {

    static final Life NONE = new Life(null, "", 0);

    /** What it left is erased. The row goes after a day. */
    static final String FORGOTTEN = "?";

    private static final String ALIVE = "+";

    /** It has ended, and a process erases what it leaves. */
    private static final String ENDED = "-";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BASE = 36;

    /** One that begins when its first bucket is listed. */
    static Life another(BucketLength length) {
        return new Life(ALIVE + Long.toString(RANDOM.nextLong() >>> 1, BASE), length.name(), 0);
    }

    boolean isAlive() {
        return stored != null && stored.startsWith(ALIVE);
    }

    boolean hasEnded() {
        return stored != null && stored.startsWith(ENDED);
    }

    String generation() {
        return stored == null ? "" : stored.substring(1);
    }

    boolean isSame(Life other) {
        return Objects.equals(stored, other.stored);
    }

    Life ended() {
        return new Life(ENDED + generation(), periods, lists);
    }

    /** The same life once one bucket more is listed, after what was seen in the row. */
    Life withOneMore(Life seen) {
        return new Life(stored, periods, seen.lists + 1);
    }

    String partition(String bucket) {
        return generation() + "/" + bucket;
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
                : new Life(stored, periods + "," + bucket + "=" + length.finer(), lists);
    }
}
