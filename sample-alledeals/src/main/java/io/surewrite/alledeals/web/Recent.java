package io.surewrite.alledeals.web;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What was seen lately, and no more of it than a process can bear. Thread-safe. */
public final class Recent<K, V> {

    private static final int MOST = 10_000;

    private final Map<K, V> seen = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > MOST;
        }
    });

    /** Notes something, and forgets the eldest if there is too much. */
    public void put(K key, V value) {
        seen.put(key, value);
    }

    /**
     * Finds something.
     *
     * @return what was seen, or null if nothing was, or it is forgotten
     */
    public @Nullable V get(K key) {
        return seen.get(key);
    }

    /**
     * Replaces something by what is made of it, if it is there.
     *
     * @param change makes the new one; quick
     */
    public void change(K key, UnaryOperator<V> change) {
        seen.computeIfPresent(key, (sameKey, value) -> change.apply(value));
    }

    /** Forgets something. */
    public void remove(K key) {
        seen.remove(key);
    }
}
