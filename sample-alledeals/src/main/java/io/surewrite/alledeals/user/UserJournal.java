package io.surewrite.alledeals.user;

import io.surewrite.journal.AttributeJournal;
import io.surewrite.journal.AttributeJournal.EntityState;
import io.surewrite.journal.AttributeValue;
import io.surewrite.journal.EntityAttributes;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
     * Records what the journal does not know yet. It comes after the change itself, which may be refused; whoever repeats
     * a change that was not recorded records it then.
     */
    boolean record(User user) {
        EntityState known = journal.current(name(user.id()));
        Map<String, AttributeValue> changes = new HashMap<>();
        attributes(user).forEach((attribute, value) -> {
            AttributeValue now = AttributeValue.of(value);
            if (!now.equals(known.value(attribute).orElse(new AttributeValue.None()))) {
                changes.put(attribute, now);
            }
        });
        if (!changes.isEmpty()) {
            journal.record(name(user.id()), changes, clock.instant());
        }
        return !changes.isEmpty();
    }

    /** Forgets all that a user ever was. If it fails, calling it again goes on where it stopped. */
    void forget(UUID id) {
        journal.forget(name(id));
    }

    /** The values of each attribute, the newest first. */
    Map<String, List<Entry>> of(User user, int size) {
        Map<String, List<Entry>> all = new TreeMap<>();
        for (String attribute : attributes(user).keySet()) {
            List<Entry> entries = journal.history(name(user.id()), attribute, null, size).stream()
                    .map(entry -> new Entry(entry.value().value(), entry.at()))
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

    /** A value that an attribute had. */
    record Entry(@Nullable Object value, Instant at) {}
}
