package io.surewrite.repository;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes arguments fit for several attempts: entities get their ids, and what can be read only once is kept.
 *
 * @param again whether streams are read again; one that is not gives its elements to one attempt after the other, each by itself
 */
record EntityArguments(UnaryOperator<Object> each, boolean again) {

    /** What a method takes as an {@link Iterable} may be read only once; what it takes as another type may be an iterable entity. */
    private static @Nullable Object readable(Class<?> declared, @Nullable Object argument) {
        if (declared != Iterable.class
                || !(argument instanceof Iterable<?> elements)
                || argument instanceof Collection<?>) {
            return argument;
        }
        List<@Nullable Object> all = new ArrayList<>();
        elements.forEach(all::add);
        return all;
    }

    @Nullable
    Object prepare(Class<?> declared, @Nullable Object given) {
        Object argument = readable(declared, given);
        if (argument == null) {
            return null;
        }
        // before a collection: some streams of Reactor are queues by type, too
        if (RetriedMethod.REACTOR && argument instanceof Publisher<?> publisher) {
            return Reactive.filled(publisher, each, again);
        }
        if (argument instanceof Collection<?> collection) {
            return filled(collection);
        }
        ReactiveAdapter adapter = declared == Object.class ? null : RetriedMethod.reactive(declared);
        return adapter == null
                ? each.apply(argument)
                : adapter.fromPublisher(Reactive.filled(adapter.toPublisher(argument), each, again)); // Kotlin's Flow
    }

    /** Mutable entities are filled where they are; only a collection of immutable ones must be replaced. */
    private Collection<?> filled(Collection<?> entities) {
        Collection<@Nullable Object> filled = entities instanceof Set ? new LinkedHashSet<>() : new ArrayList<>();
        boolean changed = false;
        for (Object entity : entities) {
            Object given = entity == null ? null : each.apply(entity);
            changed |= given != entity;
            filled.add(given);
        }
        return changed ? filled : entities;
    }

    /** Arguments that come as publishers. Apart, because Reactor is optional. */
    private static final class Reactive {

        static Publisher<Object> filled(Publisher<?> argument, UnaryOperator<Object> fill, boolean again) {
            if (argument instanceof Mono<?> mono && again) {
                return mono.map(fill).cache();
            }
            Flux<Object> filled = Flux.from(argument).map(fill);
            return again ? filled.cache() : filled;
        }
    }
}
