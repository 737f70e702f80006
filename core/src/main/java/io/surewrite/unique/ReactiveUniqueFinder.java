package io.surewrite.unique;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Finds rows by their unique values, as {@link UniqueFinder} does and with its guarantee. Nothing is sent before a subscriber
 * comes, and again for each. Thread safe.
 */
public final class ReactiveUniqueFinder {

    private final UniqueFinder finder;

    /**
     * Creates a finder.
     *
     * @param finder finds
     */
    public ReactiveUniqueFinder(UniqueFinder finder) {
        this.finder = finder;
    }

    /**
     * Finds a key, see {@link UniqueFinder#findKey}.
     *
     * @param constraint the constraint's name
     * @param value a value for each part
     * @return the key, or nothing; signals the exceptions of that method
     */
    public Mono<Map<String, Object>> findKey(String constraint, @Nullable Object... value) {
        return Mono.defer(() -> Mono.fromCompletionStage(finder.findKeyAsync(constraint, value)))
                .flatMap(Mono::justOrEmpty);
    }

    /**
     * Finds an entity, see {@link UniqueFinder#find}.
     *
     * @param constraint the constraint's name
     * @param type a type that is mapped to the constraint's table
     * @param value a value for each part
     * @param <T> the type
     * @return the entity, or nothing; signals the exceptions of that method
     */
    public <T> Mono<T> find(String constraint, Class<T> type, @Nullable Object... value) {
        return Mono.defer(() -> Mono.fromCompletionStage(finder.findAsync(constraint, type, value)))
                .flatMap(Mono::justOrEmpty);
    }
}
