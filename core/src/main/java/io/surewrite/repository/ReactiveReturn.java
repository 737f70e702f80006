package io.surewrite.repository;

import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.cql.WriteScope;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/** What goes around a publisher that a method returns. Apart, because Reactor is optional. */
final class ReactiveReturn {

    private ReactiveReturn() {}

    static @Nullable Object inContext(
            ReactiveAdapter adapter, @Nullable Object returned, Function<Context, Context> entered) {
        return changed(adapter, returned, flux -> flux.contextWrite(entered));
    }

    /** Does something with the scope of each subscription, if it has one, before what was returned is subscribed to. */
    static @Nullable Object after(
            ReactiveAdapter adapter, @Nullable Object returned, Consumer<@Nullable WriteScope> first) {
        return changed(
                adapter,
                returned,
                flux -> Flux.deferContextual(context -> {
                    first.accept(ReactiveWriteScope.current(context));
                    return flux;
                }));
    }

    private static @Nullable Object changed(
            ReactiveAdapter adapter, @Nullable Object returned, UnaryOperator<Flux<Object>> change) {
        if (returned == null) {
            return null;
        }
        Flux<Object> changed = change.apply(Flux.from(adapter.toPublisher(returned)));
        return adapter.fromPublisher(adapter.isMultiValue() ? changed : changed.singleOrEmpty());
    }
}
