package io.surewrite.journal;

import io.surewrite.journal.JournalStore.Stored;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Begins buckets and keeps them complete: each holds, besides its own entries, the one of each attribute that was in
 * effect when it began.
 *
 * <p>A bucket is listed before what it starts from is read, and a late entry is written before the list is read. So of a
 * late entry and a beginning bucket, at least one sees the other.
 */
final class Buckets {

    private static final Log log = LogFactory.getLog(Buckets.class);

    private static final int REMEMBERED = 10_000;
    private static final double WORRYING = 0.8;

    private final JournalStore store;
    private final BucketLength length;
    private final JournalListener listener;

    /** Buckets known to be complete: they stay so. */
    private final Set<Key> complete = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }));

    private record Key(String entity, String bucket) {}

    Buckets(JournalStore store, BucketLength length, JournalListener listener) {
        this.store = store;
        this.length = length;
        this.listener = listener;
    }

    /** Makes sure that the bucket can be read by itself. */
    void begin(String entity, String bucket) {
        if (complete.contains(new Key(entity, bucket))) {
            return;
        }
        if (!Boolean.TRUE.equals(list(entity).get(bucket))) {
            store.listBucket(entity, bucket, false);
            fill(entity, bucket);
            store.listBucket(entity, bucket, true);
        }
        complete.add(new Key(entity, bucket));
    }

    private void fill(String entity, String bucket) {
        Map.Entry<String, Boolean> before = list(entity).lowerEntry(bucket);
        if (before == null) {
            return;
        }
        if (!before.getValue()) {
            begin(entity, before.getKey());
        }
        store.carry(entity, bucket, store.newest(entity, before.getKey(), Long.MAX_VALUE));
        measure(entity, before.getKey());
    }

    private void measure(String entity, String bucket) {
        long entries = store.count(entity, bucket);
        listener.bucketClosed(entries);
        if (entries >= WORRYING * JournalSettings.WIDEST_PARTITION) {
            log.warn("A partition of the journal has " + entries + " entries, and "
                    + JournalSettings.WIDEST_PARTITION + " are the most that is wise. The bucket length is " + length
                    + ": raise surewrite.journal.entries-a-month for a journal that is begun anew.");
        }
    }

    /**
     * Carries entries into the buckets that have begun after theirs, until there is none that has begun meanwhile: that one
     * may have started from a bucket to which they were still on their way.
     */
    void carryOn(String entity, String bucket, Collection<Stored> entries) {
        Set<String> carried = new HashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (String later : list(entity).tailMap(bucket, false).keySet()) {
                if (carried.add(later)) {
                    store.carry(entity, later, entries);
                    more = true;
                }
            }
        }
    }

    /** The entity's buckets, oldest first. */
    NavigableMap<String, Boolean> list(String entity) {
        NavigableMap<String, Boolean> buckets = store.buckets(entity);
        for (String bucket : buckets.keySet()) {
            if (bucket.length() != length.bucketOf(Instant.EPOCH).length()) {
                throw new JournalException(
                        "The journal has the bucket " + bucket + ", which is no " + length
                                + ": the length of buckets cannot be changed. Set surewrite.journal.entries-a-month as it was.");
            }
        }
        return buckets;
    }
}
