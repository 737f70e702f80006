package io.surewrite.repository;

import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.ReactiveOverwriteRepository;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import org.springframework.data.repository.core.support.RepositoryMetadataAccess;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What {@link ReactiveOverwriteRepository} does; Spring Data finds it through {@code spring.factories}. */
record ReactiveOverwriteRepositoryFragment<T>(RepositoryOverwrites overwrites)
        implements ReactiveOverwriteRepository<T>, RepositoryMetadataAccess {

    @Override
    public <S extends T> Mono<S> overwrite(S entity) {
        return own().overwrite(entity);
    }

    @Override
    public <S extends T> Mono<S> overwrite(S entity, OverwriteOptions options) {
        return own().overwrite(entity, options);
    }

    @Override
    public <S extends T> Flux<S> overwriteAll(Iterable<S> entities) {
        return own().overwriteAll(entities);
    }

    @Override
    @SuppressWarnings("unchecked") // the repository's domain type is T
    public Flux<T> overwritePartition(Object partitionKey, Iterable<? extends T> rows) {
        Class<T> type = (Class<T>) RepositoryOverwrites.domainType();
        return own().overwritePartition(type, partitionKey, rows);
    }

    private ReactiveRowOverwrites own() {
        return overwrites.ofThisCall(ReactiveRowOverwrites.class);
    }
}
