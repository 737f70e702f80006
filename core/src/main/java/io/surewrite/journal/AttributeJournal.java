package io.surewrite.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which value each attribute of an entity had, and when. Nothing is changed or deleted, until the entity is
 * forgotten, so every call may be repeated: the same entity, attribute, instant and value are the same row.
 *
 * <p>Of two values recorded for one attribute and one microsecond, the same one wins everywhere, whichever came first.
 * Failures of the database come as Spring's {@link org.springframework.dao.DataAccessException}.
 */
public interface AttributeJournal {

    /**
     * Records what some attributes are since an instant. Recording the past is fine: what was recorded for later stays.
     *
     * @param attributes the values by name: {@link AttributeValue}, text, number, boolean, instant, or null for none
     * @param at when this became so, not in the future; to the microsecond
     * @throws JournalException if the input is refused; nothing was sent
     * @throws io.surewrite.write.UnknownOutcomeException if the cluster gave no clear answer when the entity, or a month of
     *     it, was to begin
     */
    void record(String entityId, Map<String, ?> attributes, Instant at);

    /** {@return what the entity is now: the newest value of each attribute, read from one partition} */
    EntityState current(String entityId);

    /**
     * {@return what the entity was at an instant, as far as is known today} It is read from two partitions; from the second one,
     * some rows or one row for each attribute.
     */
    EntityState asOf(String entityId, Instant at);

    /**
     * {@return a page of the values of one attribute, newest first; a shorter one than asked for is the last}
     *
     * @param before only what was recorded for an earlier instant: the last one of the page before; null for the first page
     * @param size how many at most, 1 to 10,000
     * @throws JournalException if the size is refused
     */
    List<JournalEntry> history(String entityId, String attribute, @Nullable Instant before, int size);

    /**
     * Erases all that was recorded of an entity. From the moment that this call has begun to take effect, no read finds
     * any of it, and what is recorded begins the entity anew. A concurrent {@link #record} comes before or after: its
     * entries are erased, or they are the first ones again.
     *
     * <p>In the end the tables have nothing of the entity but a row with its id, which goes after a day.
     *
     * <p>If it fails, some of it may still be in the tables. Calling it again goes on where it stopped.
     *
     * @param entityId the entity; one that the journal does not know is forgotten already
     * @throws io.surewrite.write.UnknownOutcomeException if the cluster gave no clear answer
     */
    void forget(String entityId);

    /** A value that an attribute had, since an instant. */
    record JournalEntry(String attribute, AttributeValue value, Instant at) {}

    /**
     * What an entity is or was.
     *
     * @param attributes the entries in effect, by attribute; attributes recorded as none are left out
     */
    record EntityState(String entityId, Map<String, JournalEntry> attributes) {

        public EntityState {
            attributes = Map.copyOf(attributes);
        }

        /** {@return the value of an attribute, if it has one} */
        public Optional<AttributeValue> value(String attribute) {
            return Optional.ofNullable(attributes.get(attribute)).map(JournalEntry::value);
        }
    }
}
