package io.surewrite.repository;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/** What goes around a publisher that a method returns. Apart, because Reactor is optional. */
final class ReactiveReturn {

    private ReactiveReturn() {}

    static @Nullable Object inContext(
            ReactiveAdapter adapter, @Nullable Object returned, Function<Context, Context> entered) {
        if (returned == null) {
            return null;
        }
        Flux<Object> changed = Flux.<Object>from(adapter.toPublisher(returned)).contextWrite(entered);
        return adapter.fromPublisher(adapter.isMultiValue() ? changed : changed.singleOrEmpty());
    }
}
