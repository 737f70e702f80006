package io.surewrite.overwrite;

import io.surewrite.cql.GuardedListeners;
import java.util.List;

/**
 * Hears of overwrites that were acknowledged, for metrics. Implementations are quick. What they throw is logged, once a
 * minute at most, and changes nothing.
 */
@FunctionalInterface
public interface OverwriteListener {

    /** Hears nothing. */
    OverwriteListener NONE = (table, kind, bytes) -> {};

    /**
     * An overwrite was acknowledged.
     *
     * @param table the table's name with its keyspace
     * @param kind how it was written
     * @param bytes the size of its values
     */
    void overwritten(String table, OverwriteKind kind, long bytes);

    /**
     * Several listeners as one.
     *
     * @param listeners the listeners
     * @return calls them all, the first one first, and throws nothing
     */
    static OverwriteListener all(List<OverwriteListener> listeners) {
        GuardedListeners<OverwriteListener> guarded = GuardedListeners.of(listeners);
        return (table, kind, bytes) -> guarded.tell(listener -> listener.overwritten(table, kind, bytes));
    }
}
