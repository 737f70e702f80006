package io.surewrite.alledeals.user;

import io.surewrite.journal.AttributeJournal;
import io.surewrite.journal.EntityAttributes;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What every attribute of a user ever was. */
@Component
class UserJournal {

    private final AttributeJournal journal;
    private final Clock clock;

    UserJournal(AttributeJournal journal, Clock clock) {
        this.journal = journal;
        this.clock = clock;
    }

    /**
     * Records what is about to change. It comes before the change itself: whoever repeats a change that did not get
     * through finds the same differences again, so none is missing in the end.
     */
    void record(@Nullable User before, User after) {
        Map<String, @Nullable Object> changes = new HashMap<>(attributes(after));
        if (before != null) {
            Map<String, @Nullable Object> earlier = attributes(before);
            changes.entrySet().removeIf(change -> Objects.equals(change.getValue(), earlier.get(change.getKey())));
        } else {
            changes.values().removeIf(Objects::isNull);
        }
        if (!changes.isEmpty()) {
            journal.record(name(after.id()), changes, clock.instant());
        }
    }

    /** The values of each attribute, the newest first. */
    Map<String, List<Entry>> of(User user, int size) {
        Map<String, List<Entry>> all = new TreeMap<>();
        for (String attribute : attributes(user).keySet()) {
            List<Entry> entries = journal.history(name(user.id()), attribute, null, size).stream()
                    .map(entry -> new Entry(entry.value().toObject(), entry.at()))
                    .toList();
            if (!entries.isEmpty()) {
                all.put(attribute, entries);
            }
        }
        return all;
    }

    private static Map<String, @Nullable Object> attributes(User user) {
        return EntityAttributes.of(user, "id");
    }

    private static String name(UUID id) {
        return "user " + id;
    }

    /**
     * A value that an attribute had.
     *
     * @param value the value, or null for none
     * @param at since when
     */
    record Entry(@Nullable Object value, Instant at) {}
}
