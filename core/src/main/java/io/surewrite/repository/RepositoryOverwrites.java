package io.surewrite.repository;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.data.repository.core.RepositoryMetadata;
import org.springframework.data.repository.core.RepositoryMethodContext;

/**
 * The overwrites of each repository, by its own template: all repositories share one fragment, which asks here. A
 * repository is known by its metadata, which is an object of its own for each.
 */
public final class RepositoryOverwrites {

    private final Map<RepositoryMetadata, Supplier<?>> overwrites = new ConcurrentHashMap<>();

    public void add(RepositoryMetadata repository, Supplier<?> own) {
        overwrites.put(repository, own);
    }

    <T> T ofThisCall(Class<T> type) {
        RepositoryMetadata repository = RepositoryMethodContext.getContext().getMetadata();
        Supplier<?> own = overwrites.get(repository);
        if (own == null) {
            throw new IllegalStateException(
                    "%s was not made by a factory bean of Spring Data Cassandra, so that its template is not known"
                            .formatted(repository.getRepositoryInterface().getName()));
        }
        return type.cast(own.get());
    }

    static Class<?> domainType() {
        return RepositoryMethodContext.getContext().getMetadata().getDomainType();
    }
}
