package io.surewrite.journal;

import java.util.Map;
import java.util.Optional;

/**
 * What an entity is or was.
 *
 * @param entityId the entity
 * @param attributes the entries in effect, by attribute; attributes recorded as none are left out
 */
public record EntityState(String entityId, Map<String, JournalEntry> attributes) {

    /**
     * Copies the map.
     *
     * @param entityId the entity
     * @param attributes the entries in effect
     */
    public EntityState {
        attributes = Map.copyOf(attributes);
    }

    /**
     * The value of an attribute.
     *
     * @param attribute its name
     * @return the value, if there is one
     */
    public Optional<AttributeValue> value(String attribute) {
        return Optional.ofNullable(attributes.get(attribute)).map(JournalEntry::value);
    }
}
