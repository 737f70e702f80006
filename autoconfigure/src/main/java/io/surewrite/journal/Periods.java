package io.surewrite.journal;

import java.time.Instant;

/**
 * How long the buckets of an entity are, and since when. A text such as {@code MONTH,2026-12=DAY}: days since December, and
 * months before. It only ever gets finer, and for buckets that have not begun.
 *
 * @param text as it is stored
 */
record Periods(String text) {

    static Periods of(BucketLength length) {
        return new Periods(length.name());
    }

    String bucketOf(Instant at) {
        return lengthAt(at).bucketOf(at);
    }

    private BucketLength lengthAt(Instant at) {
        if (text.indexOf(',') < 0) {
            return BucketLength.valueOf(text);
        }
        String[] steps = text.split(",", -1);
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

    /** The same, but that there are shorter buckets from a bucket on, which has not begun; the same if there are none. */
    Periods finerFrom(String bucket) {
        BucketLength length = lengthAt(BucketLength.start(bucket));
        return length == BucketLength.HOUR ? this : new Periods(text + "," + bucket + "=" + length.finer());
    }
}
