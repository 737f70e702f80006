package io.surewrite.overwrite;

import java.util.List;
import org.springframework.data.repository.core.RepositoryMethodContext;
import org.springframework.data.repository.core.support.RepositoryMetadataAccess;

/** What {@link OverwriteRepository} does; Spring Data finds it through {@code spring.factories}. */
final class OverwriteRepositoryFragment<T> implements OverwriteRepository<T>, RepositoryMetadataAccess {

    private final RepositoryOverwrites overwrites;

    OverwriteRepositoryFragment(RepositoryOverwrites overwrites) {
        this.overwrites = overwrites;
    }

    @Override
    public <S extends T> S overwrite(S entity) {
        return overwrites.ofThisCall().overwrite(entity);
    }

    @Override
    public <S extends T> S overwrite(S entity, OverwriteOptions options) {
        return overwrites.ofThisCall().overwrite(entity, options);
    }

    @Override
    public <S extends T> S insertNew(S entity) {
        return overwrites.ofThisCall().insertNew(entity);
    }

    @Override
    public <S extends T> List<S> overwriteAll(Iterable<S> entities) {
        return overwrites.ofThisCall().overwriteAll(entities);
    }

    @Override
    @SuppressWarnings("unchecked") // the repository's domain type is T
    public List<T> overwritePartition(Object partitionKey, Iterable<? extends T> rows) {
        Class<T> type =
                (Class<T>) RepositoryMethodContext.getContext().getMetadata().getDomainType();
        return overwrites.ofThisCall().overwritePartition(type, partitionKey, rows);
    }
}
