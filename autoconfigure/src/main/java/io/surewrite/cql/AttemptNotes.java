package io.surewrite.cql;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What features remember of the present attempt of a logical write, and which clocks it has asked. Plays no part in whether two scopes are equal. */
public final class AttemptNotes {

    private final Strays strays = new Strays();
    private final @Nullable ClocksAsked clocks;
    private @Nullable Map<Class<?>, Object> notes;

    AttemptNotes() {
        this(null);
    }

    private AttemptNotes(@Nullable ClocksAsked clocks) {
        this.clocks = clocks;
    }

    /**
     * Notes of a logical write that has asked no clock yet. Its first statement to each session asks that session's.
     *
     * @param source where its timestamp is from: asked for a statement whose session is not known
     * @return no notes
     */
    public static AttemptNotes askingClocks(WriteTimestamps source) {
        return new AttemptNotes(new ClocksAsked(source));
    }

    /** For the whole logical write, not for one attempt. Null if its clocks were asked, or are not to be. */
    @Nullable
    ClocksAsked clocks() {
        return clocks;
    }

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
