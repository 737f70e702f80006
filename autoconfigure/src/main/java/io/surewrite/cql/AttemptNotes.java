package io.surewrite.cql;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What features remember of the present attempt of a logical write. Plays no part in whether two scopes are equal. */
public final class AttemptNotes {

    private final Strays strays = new Strays();
    private @Nullable Map<Class<?>, Object> notes;

    AttemptNotes() {}

    /**
     * The note of a feature.
     *
     * @param type its type, which is the feature's own
     * @param first makes it when this attempt has none
     * @param <N> its type
     * @return the note, the same for the whole attempt
     */
    public synchronized <N> N get(Class<N> type, Supplier<N> first) {
        if (notes == null) {
            notes = new HashMap<>();
        }
        return type.cast(notes.computeIfAbsent(type, absent -> first.get()));
    }

    /** What all attempts sent outside the scope. */
    Strays strays() {
        return strays;
    }

    synchronized void clear() {
        notes = null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AttemptNotes;
    }

    @Override
    public int hashCode() {
        return AttemptNotes.class.hashCode();
    }
}
