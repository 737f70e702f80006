package io.surewrite.journal;

/**
 * Hears how wide partitions get, for metrics. Implementations are quick. What they throw is logged, once a minute at
 * most, and changes nothing.
 */
@FunctionalInterface
public interface JournalListener {

    /**
     * An entity began a new bucket.
     *
     * @param entries how many entries its bucket before had, counted up to 100,000, which are the most that is wise
     */
    void bucketClosed(long entries);

    /**
     * A bucket has 80,000 entries or more: this process has counted them when it recorded some, or when the next bucket
     * began. Called once for each bucket, as far as this process remembers it.
     *
     * @param entityId the entity
     * @param entries how many it has, counted up to 100,000
     */
    default void bucketWide(String entityId, long entries) {}
}
