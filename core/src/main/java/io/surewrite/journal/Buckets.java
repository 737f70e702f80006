package io.surewrite.journal;

import io.surewrite.journal.JournalSettings.BucketLength;
import io.surewrite.journal.JournalStore.Listed;
import io.surewrite.journal.JournalStore.Stored;
import io.surewrite.write.UnknownOutcomeException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ConcurrentLruCache;

/**
 * Begins buckets and keeps them complete: each holds, besides its own entries, the one of each attribute that was in
 * effect when it began. Ends lives.
 *
 * <p>A bucket is listed before what it starts from is read, and a late entry is written before the list is read. So of a
 * late entry and a beginning bucket, at least one sees the other.
 *
 * <p>A bucket is listed by a lightweight transaction, on the condition that the entity's life goes on and that no other
 * bucket was listed meanwhile. So all processes name buckets alike although an entity's may become shorter, and a process
 * that ends a life knows all its partitions. What is written into those later, by processes that read of the life before it
 * ended, is older than the tombstones there.
 */
final class Buckets {

    private static final Logger log = LoggerFactory.getLogger(Buckets.class);

    private static final int ROUNDS = 100;
    private static final int REMEMBERED = 10_000;

    /** No clock is that much ahead, so that no entry is newer than the tombstones of its life. */
    private static final Duration AHEAD = Duration.ofHours(1);

    private final JournalStore store;
    private final BucketLength length;
    private final long widest;
    private final Clock clock;

    /** Buckets known to be complete: they stay so as long as their life does. */
    private final ConcurrentLruCache<Key, Boolean> complete = new ConcurrentLruCache<>(REMEMBERED, key -> true);

    private record Key(String entity, String generation, String bucket) {}

    record Place(Life life, String bucket) {}

    Buckets(JournalStore store, BucketLength length, long widest, Clock clock) {
        this.store = store;
        this.length = length;
        this.widest = widest;
        this.clock = clock;
    }

    /**
     * Finds the bucket of an entry, and makes sure that it can be read by itself. The life is read every time: another
     * process may have ended it, or an operator emptied the tables.
     */
    Place begin(String entity, Instant at) {
        for (int round = 0; round < ROUNDS; round++) { // each time round, another process got on
            Life seen = store.life(entity);
            if (seen.hasEnded()) {
                erase(entity, seen);
                continue;
            }
            Life life = seen.isAlive() ? seen : Life.another(length);
            String bucket = life.bucketOf(at);
            if (seen.isAlive() && complete.contains(key(entity, life, bucket))) {
                return new Place(life, bucket);
            }
            Place place = begin(entity, seen, life, bucket, at);
            if (place != null) {
                complete.get(key(entity, place.life(), place.bucket())); // is made by the first look
                return place;
            }
        }
        throw overtaken();
    }

    private static UnknownOutcomeException overtaken() {
        return new UnknownOutcomeException(
                "Other processes began, extended or forgot the entity " + ROUNDS
                        + " times meanwhile. Call it again with the same arguments: that completes it.",
                null);
    }

    /** {@return null if the life is not what it was} */
    private @Nullable Place begin(String entity, Life seen, Life life, String bucket, Instant at) {
        Listed before = store.floor(entity, life, bucket);
        if (before != null && before.name().equals(bucket)) {
            return before.complete() || finish(entity, life, bucket) ? new Place(life, bucket) : null;
        }
        Life after = life.withOneMore(seen);
        if (before != null
                && isFull(entity, life, before.name())
                && store.after(entity, life, bucket, 1).isEmpty()) {
            after = after.finerFrom(bucket);
        }
        String name = after.bucketOf(at);
        if (!store.list(entity, seen, after, name, before == null)) {
            return null;
        }
        return before == null || finish(entity, after, name) ? new Place(after, name) : null;
    }

    /** Completes a bucket that is listed, unless the life has ended. */
    boolean finish(String entity, Life life, String bucket) {
        Listed before = store.below(entity, life, bucket);
        if (before != null) {
            if (!before.complete() && !finish(entity, life, before.name())) {
                return false;
            }
            store.carry(entity, life, bucket, store.newest(entity, life, before.name(), Long.MAX_VALUE));
        }
        return store.complete(entity, life, bucket);
    }

    /** Not worth a call that fails. */
    private boolean isFull(String entity, Life life, String bucket) {
        try {
            return store.count(entity, life, bucket, Math.toIntExact(widest)) >= widest;
        } catch (RuntimeException failure) {
            log.warn("The entries of a partition of the journal could not be counted", failure);
            return false;
        }
    }

    /**
     * Carries entries into the buckets that have begun after theirs, until there is none that has begun meanwhile: that one
     * may have started from a bucket to which they were still on their way.
     */
    void carryOn(String entity, Place place, Collection<Stored> entries) {
        Set<String> carried = new HashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (Listed later : store.after(entity, place.life(), place.bucket(), Integer.MAX_VALUE)) {
                if (carried.add(later.name())) {
                    store.carry(entity, place.life(), later.name(), entries);
                    more = true;
                }
            }
        }
    }

    void forget(String entity) {
        for (int round = 0; round < ROUNDS; round++) {
            Life seen = store.life(entity);
            if (!seen.isAlive() && !seen.hasEnded()) {
                return;
            }
            if (seen.hasEnded() || store.end(entity, seen, seen.ended())) {
                erase(entity, seen.ended());
                return;
            }
        }
        throw overtaken();
    }

    private void erase(String entity, Life ended) {
        long now = JournalStore.micros(clock.instant().plus(AHEAD));
        store.erase(entity, ended, Math.max(now, store.newest(entity, ended) + AHEAD.toSeconds() * 1_000_000));
    }

    private static Key key(String entity, Life life, String bucket) {
        return new Key(entity, life.generation(), bucket);
    }
}
