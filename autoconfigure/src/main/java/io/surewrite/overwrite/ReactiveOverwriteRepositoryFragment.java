package io.surewrite.overwrite;

import org.springframework.data.repository.core.RepositoryMethodContext;
import org.springframework.data.repository.core.support.RepositoryMetadataAccess;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What {@link ReactiveOverwriteRepository} does; Spring Data finds it through {@code spring.factories}. */
final class ReactiveOverwriteRepositoryFragment<T> implements ReactiveOverwriteRepository<T>, RepositoryMetadataAccess {

    private final RepositoryOverwrites overwrites;

    ReactiveOverwriteRepositoryFragment(RepositoryOverwrites overwrites) {
        this.overwrites = overwrites;
    }

    @Override
    public <S extends T> Mono<S> overwrite(S entity) {
        return overwrites.reactiveOfThisCall().overwrite(entity);
    }

    @Override
    public <S extends T> Mono<S> overwrite(S entity, OverwriteOptions options) {
        return overwrites.reactiveOfThisCall().overwrite(entity, options);
    }

    @Override
    public <S extends T> Mono<S> insertNew(S entity) {
        return overwrites.reactiveOfThisCall().insertNew(entity);
    }

    @Override
    public <S extends T> Flux<S> overwriteAll(Iterable<S> entities) {
        return overwrites.reactiveOfThisCall().overwriteAll(entities);
    }

    @Override
    @SuppressWarnings("unchecked") // the repository's domain type is T
    public Flux<T> overwritePartition(Object partitionKey, Iterable<? extends T> rows) {
        Class<T> type =
                (Class<T>) RepositoryMethodContext.getContext().getMetadata().getDomainType();
        return overwrites.reactiveOfThisCall().overwritePartition(type, partitionKey, rows);
    }
}
