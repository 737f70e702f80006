package io.surewrite.journal;

import io.surewrite.cql.SentWrites;
import io.surewrite.cql.WriteScope;
import io.surewrite.journal.Buckets.Place;
import io.surewrite.journal.JournalStore.Listed;
import io.surewrite.journal.JournalStore.Stored;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The journal in Cassandra. */
final class CassandraAttributeJournal implements AttributeJournal {

    /** No other client's clock is this much ahead of ours, so no process has begun a bucket that begins later than that. */
    private static final Duration SKEW = Duration.ofMinutes(1).plus(JournalInput.TOLERANCE);

    /** Names of buckets sort by time up to the year 9999. */
    private static final long LAST = JournalInput.micros(Instant.parse("9999-12-31T23:00:00Z"));

    private static final int LARGEST_PAGE = 10_000;

    private final JournalStore store;
    private final Buckets buckets;
    private final TimeToLive ttl;
    private final BooleanSupplier closed;
    private final String toClose;
    private final Clock clock;

    /**
     * @param closed whether all processes know of lives
     * @param toClose the CQL after which they do
     */
    CassandraAttributeJournal(
            JournalStore store, Buckets buckets, TimeToLive ttl, BooleanSupplier closed, String toClose, Clock clock) {
        this.store = store;
        this.buckets = buckets;
        this.ttl = ttl;
        this.closed = closed;
        this.toClose = toClose;
        this.clock = clock;
    }

    @Override
    public void record(String entityId, Map<String, ?> attributes, Instant at) {
        List<Stored> entries = check(entityId, attributes, at);
        if (entries.isEmpty()) {
            return;
        }
        notByTheBacklog("it records in the journal, and buckets that begin meanwhile would miss it");
        Place place = buckets.begin(entityId, at);
        store.add(entityId, place.life(), place.bucket(), entries, ttl);
        String latest =
                new Periods(place.life().periods()).bucketOf(clock.instant().plus(SKEW));
        if (!place.bucket().equals(latest)) {
            buckets.carryOn(entityId, place, entries);
        }
        buckets.recorded(entityId, place, entries.size());
    }

    private List<Stored> check(String entityId, Map<String, ?> attributes, Instant at) {
        JournalInput.checkEntity(entityId);
        JournalInput.checkInstant(at, clock.instant(), ttl);
        List<Stored> entries = new ArrayList<>();
        attributes.forEach((name, value) -> entries.add(new Stored(
                JournalInput.name(name), JournalInput.micros(at), ValueFormat.format(AttributeValue.of(value)))));
        JournalInput.checkSize(entries);
        return entries;
    }

    @Override
    public EntityState current(String entityId) {
        JournalInput.checkEntity(entityId);
        return state(entityId, store.state(entityId));
    }

    @Override
    public EntityState asOf(String entityId, Instant at) {
        JournalInput.checkEntity(entityId);
        Life life = store.life(entityId);
        Listed bucket = life.isReadable() ? floor(entityId, life, JournalInput.micros(at)) : null;
        if (bucket == null) {
            return new EntityState(entityId, Map.of());
        }
        if (!bucket.complete() && !buckets.finish(entityId, life, bucket.name())) {
            return asOf(entityId, at); // whoever began it did not get to the end, and the life has ended since
        }
        List<Stored> entries = store.newest(entityId, life, bucket.name(), JournalInput.micros(at));
        return store.life(entityId).isSame(life) ? state(entityId, entries) : asOf(entityId, at);
    }

    /** The latest bucket that had begun; there are none before 1970, and none long after now. */
    private @Nullable Listed floor(String entityId, Life life, long micros) {
        if (micros < 0) {
            return null;
        }
        return store.floor(entityId, life, BucketLength.latestAt(JournalInput.instant(Math.min(micros, LAST))));
    }

    @Override
    public List<JournalEntry> history(String entityId, String attribute, @Nullable Instant before, int size) {
        JournalInput.checkEntity(entityId);
        if (size < 1 || size > LARGEST_PAGE) {
            throw new JournalException("A page of " + size + " entries is not between 1 and " + LARGEST_PAGE + ".");
        }
        Life life = store.life(entityId);
        List<JournalEntry> page = new ArrayList<>();
        long end = before == null ? Long.MAX_VALUE : JournalInput.microsNotBefore(before);
        while (life.isReadable() && page.size() < size) {
            Listed bucket = end <= 0 ? null : floor(entityId, life, end - 1);
            if (bucket == null || !(bucket.complete() || buckets.finish(entityId, life, bucket.name()))) {
                break;
            }
            // The newest one that was carried over says where to go on: buckets between have none of this attribute.
            long start = JournalInput.micros(BucketLength.start(bucket.name()));
            long next = Long.MIN_VALUE;
            for (Stored entry : store.history(entityId, life, bucket.name(), attribute, end, size - page.size() + 1)) {
                if (entry.micros() < start) {
                    next = entry.micros();
                    break;
                }
                if (page.size() < size) {
                    page.add(entry(entry));
                }
            }
            end = next == Long.MIN_VALUE ? next : next + 1;
        }
        return store.life(entityId).isSame(life) ? page : history(entityId, attribute, before, size);
    }

    @Override
    public void forget(String entityId) {
        JournalInput.checkEntity(entityId);
        if (!closed.getAsBoolean()) {
            throw new JournalException(
                    "Nothing can be forgotten while processes of the release before may be running: they"
                            + " would go on with what is left. Once the last of them has ended, run: " + toClose);
        }
        notByTheBacklog("it erases from the journal, in several steps");
        buckets.forget(entityId);
    }

    /** It knows nothing of buckets. */
    private static void notByTheBacklog(String why) {
        WriteScope scope = WriteScope.current();
        SentWrites sent = scope == null ? null : scope.sent();
        if (sent != null) {
            sent.refuse(why);
        }
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
        return new JournalEntry(
                stored.attribute(), ValueFormat.parse(stored.value()), JournalInput.instant(stored.micros()));
    }
}
