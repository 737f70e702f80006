package io.surewrite.repository;

import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.RowOverwrites;
import java.util.List;
import org.springframework.data.repository.core.support.RepositoryMetadataAccess;

/** What {@link OverwriteRepository} does; Spring Data finds it through {@code spring.factories}. */
record OverwriteRepositoryFragment<T>(RepositoryOverwrites overwrites)
        implements OverwriteRepository<T>, RepositoryMetadataAccess {

    @Override
    public <S extends T> S overwrite(S entity) {
        return own().overwrite(entity);
    }

    @Override
    public <S extends T> S overwrite(S entity, OverwriteOptions options) {
        return own().overwrite(entity, options);
    }

    @Override
    public <S extends T> List<S> overwriteAll(Iterable<S> entities) {
        return own().overwriteAll(entities);
    }

    @Override
    @SuppressWarnings("unchecked") // the repository's domain type is T
    public List<T> overwritePartition(Object partitionKey, Iterable<? extends T> rows) {
        Class<T> type = (Class<T>) RepositoryOverwrites.domainType();
        return own().overwritePartition(type, partitionKey, rows);
    }

    private RowOverwrites own() {
        return overwrites.ofThisCall(RowOverwrites.class);
    }
}
