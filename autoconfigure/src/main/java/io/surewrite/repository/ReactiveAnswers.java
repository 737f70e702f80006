package io.surewrite.repository;

import io.surewrite.retry.ReactiveWriteRetry;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods that answer by a Mono, a Flux, or what converts to them. Apart, because Reactor is optional. */
final class ReactiveAnswers {

    private static final ReactiveAdapterRegistry ADAPTERS = ReactiveAdapterRegistry.getSharedInstance();

    private ReactiveAnswers() {}

    static @Nullable Answers of(Method method) {
        ReactiveAdapter adapter = ADAPTERS.getAdapter(method.getReturnType());
        if (adapter == null) {
            return null;
        }
        if (!adapter.isMultiValue()) {
            return (operation, template, invocation, kept) ->
                    adapter.fromPublisher(one(new ReactiveWriteRetry(template), operation, adapter, invocation, kept));
        }
        if (writesMany(method)) {
            return (operation, template, invocation, kept) -> adapter.fromPublisher(new ReactiveWriteRetry(template)
                    .mono(operation, many(adapter, invocation).collectList())
                    .flatMapIterable(answers -> answers));
        }
        return (operation, template, invocation, kept) ->
                adapter.fromPublisher(new ReactiveWriteRetry(template).flux(operation, many(adapter, invocation)));
    }

    private static Mono<Object> one(
            ReactiveWriteRetry retry,
            String operation,
            ReactiveAdapter adapter,
            ProxyMethodInvocation invocation,
            @Nullable KeptAnswers kept) {
        Mono<Object> write = Mono.defer(() -> Mono.from(run(adapter, invocation)));
        return kept == null
                ? retry.mono(operation, write)
                : retry.mono(operation, write, kept.fallback(invocation.getArguments()))
                        .switchIfEmpty(Mono.justOrEmpty(kept.whenWritten()));
    }

    /** Such as saveAll: as many answers as arguments, which are in memory anyway, so that all can wait for the last. */
    private static boolean writesMany(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .anyMatch(type -> Iterable.class.isAssignableFrom(type) || ADAPTERS.getAdapter(type) != null);
    }

    private static Flux<Object> many(ReactiveAdapter adapter, ProxyMethodInvocation invocation) {
        return Flux.defer(() -> run(adapter, invocation));
    }

    private static Publisher<Object> run(ReactiveAdapter adapter, ProxyMethodInvocation invocation) {
        try {
            return adapter.toPublisher(Answers.attempt(invocation));
        } catch (Throwable failure) {
            return Mono.error(failure);
        }
    }
}
