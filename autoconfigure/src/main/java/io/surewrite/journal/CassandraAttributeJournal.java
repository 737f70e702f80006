package io.surewrite.journal;

import io.surewrite.journal.JournalStore.Stored;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The journal in Cassandra. */
final class CassandraAttributeJournal implements AttributeJournal {

    /** No other client's clock is this much ahead of ours, so nobody has begun a bucket that begins later than that. */
    private static final Duration SKEW = Duration.ofMinutes(1).plus(JournalInput.TOLERANCE);

    private static final int LARGEST_PAGE = 10_000;

    private final JournalStore store;
    private final Buckets buckets;
    private final BucketLength length;
    private final Clock clock;

    CassandraAttributeJournal(JournalStore store, Buckets buckets, BucketLength length, Clock clock) {
        this.store = store;
        this.buckets = buckets;
        this.length = length;
        this.clock = clock;
    }

    @Override
    public void record(String entityId, Map<String, ?> attributes, Instant at) {
        List<Stored> entries = check(entityId, attributes, at);
        if (entries.isEmpty()) {
            return;
        }
        String bucket = length.bucketOf(at);
        buckets.begin(entityId, bucket);
        store.add(entityId, bucket, entries);
        if (!bucket.equals(length.bucketOf(clock.instant().plus(SKEW)))) {
            buckets.carryOn(entityId, bucket, entries);
        }
    }

    private List<Stored> check(String entityId, Map<String, ?> attributes, Instant at) {
        JournalInput.checkEntity(entityId);
        JournalInput.checkInstant(at, clock.instant());
        List<Stored> entries = new ArrayList<>();
        attributes.forEach((name, value) -> entries.add(
                new Stored(JournalInput.name(name), micros(at), ValueFormat.format(AttributeValue.of(value)))));
        JournalInput.checkSize(entries);
        return entries;
    }

    @Override
    public EntityState current(String entityId) {
        return state(entityId, store.state(entityId));
    }

    @Override
    public EntityState asOf(String entityId, Instant at) {
        Map.Entry<String, Boolean> bucket = buckets.list(entityId).floorEntry(length.bucketOf(at));
        if (bucket == null) {
            return new EntityState(entityId, Map.of());
        }
        if (!bucket.getValue()) {
            buckets.begin(entityId, bucket.getKey()); // whoever began it did not get to the end
        }
        return state(entityId, store.newest(entityId, bucket.getKey(), micros(at)));
    }

    @Override
    public List<JournalEntry> history(String entityId, String attribute, @Nullable Instant before, int size) {
        if (size < 1 || size > LARGEST_PAGE) {
            throw new JournalException("A page of " + size + " entries is not between 1 and " + LARGEST_PAGE + ".");
        }
        long end = before == null ? Long.MAX_VALUE : micros(before);
        List<JournalEntry> page = new ArrayList<>();
        for (String bucket : buckets.list(entityId).descendingKeySet()) {
            long start = micros(length.startOf(bucket)); // older ones are carried over and have a bucket of their own
            if (page.size() < size && start < end) {
                store.history(entityId, bucket, attribute, start, end, size - page.size())
                        .forEach(entry -> page.add(entry(entry)));
            }
        }
        return page;
    }

    private static EntityState state(String entityId, Collection<Stored> entries) {
        Map<String, JournalEntry> attributes = new HashMap<>();
        for (Stored stored : entries) {
            JournalEntry entry = entry(stored);
            if (!(entry.value() instanceof AttributeValue.None)) {
                attributes.put(entry.attribute(), entry);
            }
        }
        return new EntityState(entityId, attributes);
    }

    private static JournalEntry entry(Stored stored) {
        Instant at = Instant.EPOCH.plus(stored.micros(), ChronoUnit.MICROS);
        return new JournalEntry(stored.attribute(), ValueFormat.parse(stored.value()), at);
    }

    private static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }
}
