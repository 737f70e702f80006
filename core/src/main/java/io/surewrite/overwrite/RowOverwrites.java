package io.surewrite.overwrite;

import java.util.List;

/**
 * Makes rows equal to entities: columns that are null in the entity are empty afterwards, at the cost of one row deletion
 * instead of one tombstone for every null.
 *
 * <p>An overwrite is one mutation of one partition, atomic and isolated: a reader sees the old row or the new one, never
 * neither and never a mix. It carries one pinned timestamp, so running it again changes nothing, not even after a newer
 * overwrite. Other rows of the partition and its static columns survive; a static column that is not null is written.
 *
 * <p>Columns that the entity does not map would be erased by a row deletion. Where the table has such columns, nulls are
 * written one by one instead, as {@code save} does. Entities with a version are written by their conditional update. Rows
 * with unique values are overwritten under their guard, without options.
 *
 * <p>Every refusal ({@link OverwriteException}) comes before anything is sent. Failures of the database come as Spring's
 * {@link org.springframework.dao.DataAccessException}.
 */
public interface RowOverwrites {

    /** See {@link #overwrite(Object, OverwriteOptions)}. */
    default <T> T overwrite(T entity) {
        return overwrite(entity, OverwriteOptions.none());
    }

    /**
     * Overwrites the row of an entity.
     *
     * @param entity the whole row
     * @param options time to live, and whether to look for ties
     * @param <T> the entity's type
     * @return the entity as written, after its callbacks
     * @throws OverwriteException if it is refused; nothing was sent
     * @throws TimestampTieException if asked to look for it, and another client wrote the row with the same timestamp
     */
    <T> T overwrite(T entity, OverwriteOptions options);

    /** See {@link #overwriteAll(Iterable, OverwriteOptions)}. */
    default <T> List<T> overwriteAll(Iterable<? extends T> entities) {
        return overwriteAll(entities, OverwriteOptions.none());
    }

    /**
     * Overwrites rows one by one, each atomically for itself. All are checked before the first is sent.
     *
     * @param entities whole rows
     * @param options time to live, the same for all
     * @param <T> the entities' type
     * @return the entities as written, after their callbacks
     * @throws OverwriteException if one is refused; nothing was sent
     */
    <T> List<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options);

    /** See {@link #overwritePartition(Class, Object, Iterable, OverwriteOptions)}. */
    default <T> List<T> overwritePartition(Class<T> type, Object partitionKey, Iterable<? extends T> rows) {
        return overwritePartition(type, partitionKey, rows, OverwriteOptions.none());
    }

    /**
     * Replaces a whole partition by rows, atomically and with one deletion. All other rows of the partition and its
     * static columns are gone afterwards, including columns that the entity does not map.
     *
     * @param type the entity's type, which tells the table
     * @param partitionKey the value of the partition key; a {@code MapId} of property or column names, or an instance
     *     of the primary key class, if it has several columns
     * @param rows the rows of that partition, maybe none
     * @param options time to live
     * @param <T> the entity's type
     * @return the entities as written, after their callbacks
     * @throws OverwriteException if it is refused; nothing was sent
     */
    <T> List<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options);
}
