package io.surewrite.journal;

/** Hears how wide partitions get, for metrics. Implementations are quick and throw nothing. */
@FunctionalInterface
public interface JournalListener {

    /** Hears nothing. */
    JournalListener NONE = entries -> {};

    /**
     * An entity began a new bucket.
     *
     * @param entries how many entries its bucket before had, 100,000 being the most that is wise
     */
    void bucketClosed(long entries);
}
