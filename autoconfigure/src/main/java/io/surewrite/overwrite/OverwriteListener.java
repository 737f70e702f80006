package io.surewrite.overwrite;

/** Hears of overwrites that were acknowledged, for metrics. Implementations are quick and throw nothing. */
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
}
