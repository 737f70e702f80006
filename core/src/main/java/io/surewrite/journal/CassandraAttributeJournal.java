package io.surewrite.journal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.lwt.ConditionalProfile.ConditionalLevel;
import io.surewrite.journal.AttributeValue.Bool;
import io.surewrite.journal.AttributeValue.Json;
import io.surewrite.journal.AttributeValue.None;
import io.surewrite.journal.AttributeValue.Numeric;
import io.surewrite.journal.AttributeValue.Text;
import io.surewrite.journal.AttributeValue.Timestamp;
import io.surewrite.journal.Buckets.Place;
import io.surewrite.journal.JournalSettings.BucketLength;
import io.surewrite.journal.JournalStore.Listed;
import io.surewrite.journal.JournalStore.Stored;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.SentWrites;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The journal in Cassandra: refuses bad input, and reads buckets. */
record CassandraAttributeJournal(JournalStore store, Buckets buckets, JournalSettings settings, Clock clock)
        implements AttributeJournal {

    /** The row of the table with what all processes have agreed on. */
    private static final String RESERVED = "surewrite:journal";

    private static final String SETTINGS = "settings";

    /** An instant may lie so far in the future: clocks differ. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** No other client's clock is this much ahead of ours, so no process has begun a bucket that begins later than that. */
    private static final Duration SKEW = Duration.ofMinutes(1).plus(TOLERANCE);

    /** Names of buckets sort by time up to the year 9999. */
    private static final long LAST = JournalStore.micros(Instant.parse("9999-12-31T23:00:00Z"));

    private static final int LARGEST_PAGE = 10_000;

    /** What Cassandra takes as a part of a key. */
    private static final int LONGEST_KEY = 8 * 1024;

    /** Timestamps and the like, as Cassandra counts them. */
    private static final long BYTES_AN_ENTRY = 100;

    /** What a stored value begins with. */
    private static final Map<Class<?>, String> KINDS =
            Map.of(Text.class, "t:", Numeric.class, "n:", Bool.class, "b:", Timestamp.class, "i:", Json.class, "j:");

    CassandraAttributeJournal(JournalStore store, JournalSettings settings, long widest, Clock clock) {
        this(store, new Buckets(store, settings.bucketLength(), widest, clock), settings, clock);
    }

    static void requireOneSetting(JournalStore store, CqlSession session, String state, JournalSettings settings) {
        String mine = describe(session, settings);
        String agreed = store.agreed(RESERVED, SETTINGS, mine);
        if (!agreed.equals(mine)) {
            throw new InvalidConfigurationException(
                    JournalSettings.PREFIX,
                    "The journal in %s is kept with %s, but this application is configured for %s."
                            .formatted(state, agreed, mine),
                    """
                    Set surewrite.journal.entries-a-month, consistency and time-to-live, and \
                    surewrite.conditional.serial-consistency, as all others have them. To change them for all, stop all \
                    applications that use the journal, run

                    DELETE FROM %s WHERE entity = '%s' AND kind = '!' AND name = '%s' IF EXISTS;

                    and start them with the new values.""".formatted(state, RESERVED, SETTINGS),
                    "journal");
        }
    }

    private static String describe(CqlSession session, JournalSettings settings) {
        ConditionalLevel conditional = ConditionalLevel.of(session);
        return "buckets of a %s, consistency %s and %s%s, time to live %s"
                .formatted(
                        settings.bucketLength(),
                        settings.consistency(),
                        conditional.local() ? ConsistencyLevel.LOCAL_SERIAL : ConsistencyLevel.SERIAL,
                        settings.consistency().isDcLocal() || conditional.local()
                                ? " in " + conditional.datacenter()
                                : "",
                        settings.timeToLive());
    }

    @Override
    public void record(String entityId, Map<String, ?> attributes, Instant at) {
        checkEntity(entityId);
        checkInstant(at);
        List<Stored> entries = new ArrayList<>();
        attributes.forEach((name, value) -> entries.add(new Stored(
                checkKey("The name of an attribute", name),
                JournalStore.micros(at),
                format(AttributeValue.of(value)))));
        checkSize(entries);
        if (entries.isEmpty()) {
            return;
        }
        SentWrites.refuseCurrent("it records in the journal, and buckets that begin meanwhile would miss it");
        Place place = buckets.begin(entityId, at);
        store.add(entityId, place.life(), place.bucket(), entries);
        if (!place.bucket().equals(place.life().bucketOf(clock.instant().plus(SKEW)))) {
            buckets.carryOn(entityId, place, entries);
        }
    }

    private static void checkEntity(String entityId) {
        if (entityId.equals(RESERVED)) {
            throw new JournalException("The id " + RESERVED + " is the journal's own.");
        }
        checkKey("The id of an entity", entityId);
    }

    private void checkInstant(Instant at) {
        if (at.isAfter(clock.instant().plus(TOLERANCE))) {
            throw new JournalException("The instant " + at + " lies in the future: the journal records what is known.");
        }
        if (!at.isAfter(Instant.EPOCH)) {
            throw new JournalException("The instant " + at + " lies before 1970.");
        }
        if (!store.keeps(at)) {
            throw new JournalException("The instant " + at + " lies further back than " + settings.timeToLive()
                    + ", which is how long the journal keeps entries (surewrite.journal.time-to-live).");
        }
    }

    private static String checkKey(String what, String key) {
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new JournalException(what + " has 1 to " + LONGEST_KEY + " characters.");
        }
        return key;
    }

    /** Each entry goes to two partitions, so all of a call is one batch of twice their size. */
    private static void checkSize(List<Stored> entries) {
        long bytes = 0;
        for (Stored entry : entries) {
            bytes += BYTES_AN_ENTRY
                    + entry.attribute().getBytes(StandardCharsets.UTF_8).length
                    + entry.value().getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > JournalSettings.MOST_BYTES) {
            throw new JournalException("The names and values of " + entries.size() + " attributes take " + bytes
                    + " bytes, and " + JournalSettings.MOST_BYTES + " are the most for one call, "
                    + BYTES_AN_ENTRY + " included for each attribute: it is written as one batch, and Cassandra refuses"
                    + " batches over 50 KiB (batch_size_fail_threshold). Record fewer attributes in a call, and keep"
                    + " larger values elsewhere.");
        }
    }

    @Override
    public EntityState current(String entityId) {
        checkEntity(entityId);
        return state(entityId, store.state(entityId));
    }

    @Override
    public EntityState asOf(String entityId, Instant at) {
        checkEntity(entityId);
        Life life = store.life(entityId);
        Listed bucket = life.isAlive() ? floor(entityId, life, JournalStore.micros(at)) : null;
        if (bucket == null) {
            return new EntityState(entityId, Map.of());
        }
        if (!bucket.complete() && !buckets.finish(entityId, life, bucket.name())) {
            return asOf(entityId, at); // the process that began it did not get to the end, and the life has ended since
        }
        List<Stored> entries = store.newest(entityId, life, bucket.name(), JournalStore.micros(at));
        return store.life(entityId).isSame(life) ? state(entityId, entries) : asOf(entityId, at);
    }

    /** The latest bucket that had begun; there are none before 1970, and none long after now. */
    private @Nullable Listed floor(String entityId, Life life, long micros) {
        if (micros < 0) {
            return null;
        }
        return store.floor(entityId, life, BucketLength.latestAt(JournalStore.instant(Math.min(micros, LAST))));
    }

    @Override
    public List<JournalEntry> history(String entityId, String attribute, @Nullable Instant before, int size) {
        checkEntity(entityId);
        if (size < 1 || size > LARGEST_PAGE) {
            throw new JournalException("A page of " + size + " entries is not between 1 and " + LARGEST_PAGE + ".");
        }
        Life life = store.life(entityId);
        List<JournalEntry> page = new ArrayList<>();
        long end = before == null ? Long.MAX_VALUE : microsNotBefore(before);
        while (life.isAlive() && page.size() < size) {
            Listed bucket = end <= 0 ? null : floor(entityId, life, end - 1);
            if (bucket == null || !(bucket.complete() || buckets.finish(entityId, life, bucket.name()))) {
                break;
            }
            // The newest one that was carried over says where to go on: buckets between have none of this attribute.
            long start = JournalStore.micros(BucketLength.start(bucket.name()));
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

    /** The first microsecond that is not before an instant. */
    private static long microsNotBefore(Instant at) {
        long micros = JournalStore.micros(at);
        return micros < Long.MAX_VALUE && at.isAfter(JournalStore.instant(micros)) ? micros + 1 : micros;
    }

    @Override
    public void forget(String entityId) {
        checkEntity(entityId);
        SentWrites.refuseCurrent("it erases from the journal, in several steps");
        buckets.forget(entityId);
    }

    private static EntityState state(String entityId, Collection<Stored> entries) {
        Map<String, JournalEntry> attributes = new HashMap<>();
        for (Stored stored : entries) {
            JournalEntry entry = entry(stored);
            if (!(entry.value() instanceof None)) {
                attributes.put(entry.attribute(), entry);
            }
        }
        return new EntityState(entityId, attributes);
    }

    private static JournalEntry entry(Stored stored) {
        return new JournalEntry(stored.attribute(), parse(stored.value()), JournalStore.instant(stored.micros()));
    }

    /** A value as one text, the type in front: it is one cell, so that a tie is won whole. */
    static String format(AttributeValue value) {
        return value instanceof None ? "-:" : KINDS.get(value.getClass()) + value.value();
    }

    static AttributeValue parse(String stored) {
        String value = stored.substring(2);
        return switch (stored.charAt(0)) {
            case 't' -> new Text(value);
            case 'n' -> new Numeric(new BigDecimal(value));
            case 'b' -> new Bool(Boolean.parseBoolean(value));
            case 'i' -> new Timestamp(Instant.parse(value));
            case 'j' -> new Json(value);
            default -> new None();
        };
    }
}
