package io.surewrite.overwrite;

import java.util.List;

/**
 * Adds {@link RowOverwrites} to a repository: {@code interface Users extends CassandraRepository<User, UUID>,
 * OverwriteRepository<User>}. Nothing else is to be declared.
 *
 * @param <T> the entity's type
 */
public interface OverwriteRepository<T> {

    /** See {@link RowOverwrites#overwrite(Object)}. */
    <S extends T> S overwrite(S entity);

    /** See {@link RowOverwrites#overwrite(Object, OverwriteOptions)}. */
    <S extends T> S overwrite(S entity, OverwriteOptions options);

    /** See {@link RowOverwrites#overwriteAll(Iterable)}. */
    <S extends T> List<S> overwriteAll(Iterable<S> entities);

    /** See {@link RowOverwrites#overwritePartition(Class, Object, Iterable)}. */
    List<T> overwritePartition(Object partitionKey, Iterable<? extends T> rows);
}
