package io.surewrite.overwrite;

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

    private final Map<RepositoryMetadata, Supplier<RowOverwrites>> blocking = new ConcurrentHashMap<>();
    private final Map<RepositoryMetadata, Supplier<ReactiveRowOverwrites>> reactive = new ConcurrentHashMap<>();

    /**
     * Adds a repository.
     *
     * @param repository the repository
     * @param overwrites asked when it first overwrites
     */
    public void add(RepositoryMetadata repository, Supplier<RowOverwrites> overwrites) {
        blocking.put(repository, overwrites);
    }

    /**
     * Adds a reactive repository.
     *
     * @param repository the repository
     * @param overwrites asked when it first overwrites
     */
    public void addReactive(RepositoryMetadata repository, Supplier<ReactiveRowOverwrites> overwrites) {
        reactive.put(repository, overwrites);
    }

    RowOverwrites ofThisCall() {
        return ofThisCall(blocking);
    }

    ReactiveRowOverwrites reactiveOfThisCall() {
        return ofThisCall(reactive);
    }

    private static <T> T ofThisCall(Map<RepositoryMetadata, Supplier<T>> overwrites) {
        RepositoryMetadata repository = RepositoryMethodContext.getContext().getMetadata();
        Supplier<T> own = overwrites.get(repository);
        if (own == null) {
            throw new IllegalStateException(
                    "%s was not made by a factory bean of Spring Data Cassandra, so that its template is not known"
                            .formatted(repository.getRepositoryInterface().getName()));
        }
        return own.get();
    }
}
