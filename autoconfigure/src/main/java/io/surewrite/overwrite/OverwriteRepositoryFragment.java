package io.surewrite.overwrite;

import java.util.List;
import org.springframework.data.repository.core.RepositoryMethodContext;
import org.springframework.data.repository.core.support.RepositoryMetadataAccess;

/** What {@link OverwriteRepository} does; Spring Data finds it through {@code spring.factories}. */
final class OverwriteRepositoryFragment<T> implements OverwriteRepository<T>, RepositoryMetadataAccess {

    private final RowOverwrites overwrites;

    OverwriteRepositoryFragment(RowOverwrites overwrites) {
        this.overwrites = overwrites;
    }

    @Override
    public <S extends T> S overwrite(S entity) {
        return overwrites.overwrite(entity);
    }

    @Override
    public <S extends T> S overwrite(S entity, OverwriteOptions options) {
        return overwrites.overwrite(entity, options);
    }

    @Override
    public <S extends T> S insertNew(S entity) {
        return overwrites.insertNew(entity);
    }

    @Override
    public <S extends T> List<S> overwriteAll(Iterable<S> entities) {
        return overwrites.overwriteAll(entities);
    }

    @Override
    @SuppressWarnings("unchecked") // the repository's domain type is T
    public List<T> overwritePartition(Object partitionKey, Iterable<? extends T> rows) {
        Class<T> type =
                (Class<T>) RepositoryMethodContext.getContext().getMetadata().getDomainType();
        return overwrites.overwritePartition(type, partitionKey, rows);
    }
}
