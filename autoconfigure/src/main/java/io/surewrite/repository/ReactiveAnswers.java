package io.surewrite.repository;

import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.retry.engine.ScopedReactiveRetry;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Methods that answer by a Mono, a Flux, or what converts to them. Apart, because Reactor is optional. */
final class ReactiveAnswers {

    private static final ReactiveAdapterRegistry ADAPTERS = ReactiveAdapterRegistry.getSharedInstance();

    private ReactiveAnswers() {}

    static @Nullable Answers of(Method method, Streams streams) {
        ReactiveAdapter adapter = ADAPTERS.getAdapter(method.getReturnType());
        if (adapter == null) {
            return null;
        }
        int stream = streams.parameterOf(method);
        if (stream >= 0 && streams.areElements()) {
            ReactiveAdapter elements = Objects.requireNonNull(ADAPTERS.getAdapter(method.getParameterTypes()[stream]));
            return (operation, template, invocation, kept) -> adapter.fromPublisher(
                    each(streams, template.reactive(), operation, adapter, elements, invocation, stream));
        }
        Answers answers = of(method, adapter);
        return stream >= 0 && streams.isFirst() ? afterArgument(answers, adapter, method, stream) : answers;
    }

    private static Answers of(Method method, ReactiveAdapter adapter) {
        if (!adapter.isMultiValue()) {
            return (operation, template, invocation, kept) ->
                    adapter.fromPublisher(one(template.reactive(), operation, adapter, invocation, kept));
        }
        if (writesMany(method)) {
            return (operation, template, invocation, kept) -> adapter.fromPublisher(template.reactive()
                    .mono(operation, many(adapter, invocation).collectList())
                    .flatMapIterable(answers -> answers));
        }
        return (operation, template, invocation, kept) ->
                adapter.fromPublisher(template.reactive().flux(operation, many(adapter, invocation)));
    }

    /** Runs the method for each element of its argument: so each has the timestamp of its emission. */
    private static Publisher<Object> each(
            Streams streams,
            ScopedReactiveRetry retry,
            String operation,
            ReactiveAdapter answer,
            ReactiveAdapter elements,
            ProxyMethodInvocation invocation,
            int stream) {
        Publisher<Object> source = publisher(elements, invocation, stream);
        Function<Object, Mono<List<Object>>> write =
                element -> many(answer, with(invocation, stream, elements.fromPublisher(Mono.just(element))))
                        .collectList();
        Flux<List<Object>> written = streams == Streams.ELEMENTS_IN_ORDER
                ? retry.eachInOrder(operation, source, write)
                : retry.each(operation, source, write);
        Flux<Object> answers = written.flatMapIterable(each -> each);
        return answer.isMultiValue() ? answers : answers.ignoreElements();
    }

    /** The write is decided when its argument is there, and not before. */
    private static Answers afterArgument(Answers answers, ReactiveAdapter adapter, Method method, int parameter) {
        ReactiveAdapter given = Objects.requireNonNull(ADAPTERS.getAdapter(method.getParameterTypes()[parameter]));
        return (operation, template, invocation, kept) -> {
            Flux<Object> answer = Flux.deferContextual(context -> {
                // The argument may be emitted by another thread than the one that subscribes.
                Function<Context, Context> around = ReactiveWriteScope.handOn(context);
                return Mono.from(publisher(given, invocation, parameter))
                        .map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .flatMapMany(value -> {
                            ProxyMethodInvocation decided =
                                    with(invocation, parameter, given.fromPublisher(Mono.justOrEmpty(value)));
                            try {
                                Object write = answers.retry(operation, template, decided, kept);
                                return Flux.from(adapter.toPublisher(write)).contextWrite(around);
                            } catch (Throwable failure) {
                                return Mono.error(failure);
                            }
                        });
            });
            return adapter.fromPublisher(adapter.isMultiValue() ? answer : answer.next());
        };
    }

    @SuppressWarnings("unchecked") // its elements are what the method takes
    private static Publisher<Object> publisher(
            ReactiveAdapter adapter, ProxyMethodInvocation invocation, int parameter) {
        Object argument = invocation.getArguments()[parameter];
        return argument instanceof Publisher<?> publisher
                ? (Publisher<Object>) publisher
                : adapter.toPublisher(argument);
    }

    private static ProxyMethodInvocation with(ProxyMethodInvocation invocation, int parameter, Object argument) {
        @Nullable Object[] arguments = invocation.getArguments().clone();
        arguments[parameter] = argument;
        return (ProxyMethodInvocation) invocation.invocableClone(arguments);
    }

    private static Mono<Object> one(
            ScopedReactiveRetry retry,
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
