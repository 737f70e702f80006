package io.surewrite.repository;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Arguments that come as publishers. Apart, because Reactor is optional. */
final class ReactiveArguments {

    private ReactiveArguments() {}

    /** A publisher that gives every attempt the same entities, or null if the argument is none. */
    static @Nullable Object replay(Object argument, UnaryOperator<Object> fill) {
        if (argument instanceof Mono<?> mono) {
            return mono.map(fill).cache();
        }
        return argument instanceof Publisher<?> publisher
                ? Flux.from(publisher).map(fill).cache()
                : null;
    }

    /** A publisher of the entities that an argument emits, or null if the argument is none. */
    static @Nullable Object filled(Object argument, UnaryOperator<Object> fill) {
        return argument instanceof Publisher<?> publisher ? Flux.from(publisher).map(fill) : null;
    }
}
