package io.surewrite.repository;

import io.surewrite.internal.session.Said;
import io.surewrite.retry.ScopedReactiveRetry;
import io.surewrite.retry.ScopedRetryTemplate;
import io.surewrite.retry.ScopedRetryTemplate.Fallback;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteKeeper;
import io.surewrite.write.WriteReceipt;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Runs a method by a retry template; every attempt is a fresh run of whatever stands behind this interceptor. How it is
 * retried depends on how it returns: at once, by a future, or by a publisher.
 */
final class RetriedMethod implements MethodInterceptor {

    static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", RetriedMethod.class.getClassLoader());

    private final String operation;
    private final ScopedRetryTemplate template;
    private final Class<?>[] types;
    private final BiFunction<Class<?>, @Nullable Object, @Nullable Object> argument;
    private final @Nullable KeptReturn kept;
    private final ReturnKind returns;

    /** Prepares every argument, by its type, once, before the first attempt. */
    RetriedMethod(
            String operation,
            Method method,
            ScopedRetryTemplate template,
            Streams streams,
            BiFunction<Class<?>, @Nullable Object, @Nullable Object> argument,
            @Nullable KeptReturn kept) {
        this.operation = operation;
        this.template = template;
        this.types = Arrays.copyOf(method.getParameterTypes(), Signature.parameterCount(method));
        this.argument = argument;
        this.kept = kept;
        this.returns = returnKind(method, streams);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        ProxyMethodInvocation proxied = (ProxyMethodInvocation) invocation;
        @Nullable Object[] arguments = proxied.getArguments();
        for (int i = 0; i < types.length; i++) {
            arguments[i] = argument.apply(types[i], arguments[i]);
        }
        proxied.setArguments(arguments);
        return returns.retry(proxied);
    }

    @FunctionalInterface
    private interface ReturnKind {

        @Nullable
        Object retry(ProxyMethodInvocation invocation) throws Throwable;
    }

    private ReturnKind returnKind(Method method, Streams streams) {
        Signature.requireVisibleEnd(method);
        Class<?> type = Signature.returnType(method);
        if (type == CompletableFuture.class || type == CompletionStage.class) {
            streams.requireNone(method);
            return this::later;
        }
        if (CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException(
                    "A %s cannot be retried. Fix: return a CompletableFuture".formatted(type.getSimpleName()));
        }
        ReactiveAdapter adapter = reactive(type);
        if (adapter != null) {
            return new Reactive(this, adapter, template.reactive()).returnKind(method, streams);
        }
        streams.requireNone(method);
        return invocation -> answer(keeping(invocation).call(operation, () -> attempt(invocation)));
    }

    /** How a type becomes a publisher; null if it is none, or a future, or if Reactor is not there. */
    static @Nullable ReactiveAdapter reactive(Class<?> type) {
        return REACTOR && !CompletionStage.class.isAssignableFrom(type)
                ? ReactiveAdapterRegistry.getSharedInstance().getAdapter(type)
                : null;
    }

    /** Has something said of what a method sends, on its thread or in the subscriptions to what it returns. */
    static <T> MethodInterceptor saying(Method method, Said<T> said, T what) {
        ReactiveAdapter adapter = reactive(Signature.returnType(method));
        return adapter == null
                ? invocation -> said.call(what, invocation::proceed)
                : invocation -> Reactive.inContext(adapter, invocation.proceed(), said.enter(what));
    }

    static boolean takesMany(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .anyMatch(type -> Iterable.class.isAssignableFrom(type) || reactive(type) != null);
    }

    private ScopedRetryTemplate keeping(ProxyMethodInvocation invocation) {
        return kept == null ? template : template.keeping(kept.fallback(invocation.getArguments()));
    }

    private @Nullable Object answer(@Nullable Object returned) {
        return returned == null && kept != null ? kept.whenWritten() : returned;
    }

    /** Once more: an invocation runs through its interceptors once only. */
    @SuppressWarnings("NullAway") // an attempt may return null, as the method may
    private static Object attempt(ProxyMethodInvocation invocation) throws Throwable {
        return invocation.invocableClone().proceed();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is what the method returns
    private Object later(ProxyMethodInvocation invocation) {
        // The caller gets the future of the call itself: cancelling another one that depends on it would not reach it.
        // And it cancels the attempt's own, where no answer takes its place.
        return keeping(invocation)
                .executeAsync(
                        operation,
                        () -> kept == null
                                ? stage(invocation)
                                : stage(invocation).thenApply(this::answer));
    }

    private static CompletionStage<@Nullable Object> stage(ProxyMethodInvocation invocation) {
        try {
            @SuppressWarnings("unchecked") // by the return type of the method
            CompletionStage<@Nullable Object> stage = (CompletionStage<@Nullable Object>) attempt(invocation);
            return stage == null ? CompletableFuture.completedFuture(null) : stage;
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** What a retried method does with an argument that comes as a publisher, and so when its writes are decided. */
    enum Streams {
        /** Not known: a stream is refused, and a single value is waited for. */
        OF_ITS_OWN,
        READ,
        FIRST,
        ELEMENTS,
        /** As before, and one row written must be there before the next. */
        ELEMENTS_IN_ORDER;

        boolean areElements() {
            return this == ELEMENTS || this == ELEMENTS_IN_ORDER;
        }

        /** The index of the parameter that is a publisher, or -1; refused where what it emits may be decided long after the call. */
        int parameterOf(Method method) {
            int found = -1;
            if (this == READ) {
                return found;
            }
            Class<?>[] types = method.getParameterTypes();
            for (int i = 0; i < types.length; i++) {
                ReactiveAdapter adapter = reactive(types[i]); // a future that is given was begun by the caller
                if (adapter == null || adapter.isNoValue()) {
                    continue;
                }
                if (found >= 0 || (this == OF_ITS_OWN && adapter.isMultiValue())) {
                    throw refusal(types[i]);
                }
                found = i;
            }
            return found;
        }

        /** The method subscribes to it when it has begun. */
        void requireNone(Method method) {
            int found = parameterOf(method);
            if (found >= 0) {
                throw refusal(method.getParameterTypes()[found]);
            }
        }

        private static IllegalArgumentException refusal(Class<?> type) {
            return new IllegalArgumentException(
                    ("it takes a %s, whose elements may come long after the call began and would all have its timestamp: a"
                                    + " late one would lose to what others wrote before it came. Fix: take a List, or"
                                    + " pass the stream to saveAll of a repository, or to ReactiveWriteRetry.each, and leave"
                                    + " @Idempotent out here")
                            .formatted(type.getSimpleName()));
        }
    }

    /** What a method returns when its write is kept for later: nothing, its entity, or a receipt. */
    record KeptReturn(
            WriteKeeper keeper,
            BiFunction<@Nullable Object[], WriteReceipt, @Nullable Object> answer,
            @Nullable Object whenWritten) {

        static KeptReturn of(Method planned, WriteKeeper keeper) {
            Method method = BridgeMethodResolver.findBridgedMethod(planned);
            Type returned = returned(method);
            Type[] parameters = method.getGenericParameterTypes();
            if (returned == void.class
                    || returned == Void.class
                    || returned.getTypeName().equals("kotlin.Unit")) {
                return new KeptReturn(keeper, (arguments, receipt) -> null, null);
            }
            if (returned == WriteReceipt.class) {
                return new KeptReturn(keeper, (arguments, receipt) -> receipt, WriteReceipt.WRITTEN);
            }
            if (Signature.parameterCount(method) == 1 && parameters[0].equals(returned)) {
                return new KeptReturn(keeper, (arguments, receipt) -> arguments[0], null);
            }
            throw new IllegalArgumentException(
                    ("whenExhausted = BACKLOG, but it answers %s, which only the database could give while the write waits."
                                    + " Fix: answer nothing, the one argument, or a WriteReceipt; at once, by a"
                                    + " CompletableFuture or by a Mono")
                            .formatted(Signature.answer(method).getTypeName()));
        }

        private static Type returned(Method method) {
            Class<?> type = method.getReturnType();
            boolean later = type == CompletableFuture.class || type == CompletionStage.class || isMono(type);
            return later && method.getGenericReturnType() instanceof ParameterizedType parameterized
                    ? parameterized.getActualTypeArguments()[0]
                    : Signature.answer(method);
        }

        private static boolean isMono(Class<?> type) {
            ReactiveAdapter adapter = reactive(type);
            return adapter != null && !adapter.isMultiValue() && !adapter.isNoValue();
        }

        Fallback fallback(@Nullable Object[] arguments) {
            return new Fallback(keeper, receipt -> answer.apply(arguments, receipt));
        }
    }

    /** A method that returns a Mono, a Flux, or what converts to them. Apart, because Reactor is optional. */
    record Reactive(RetriedMethod method, ReactiveAdapter adapter, ScopedReactiveRetry retry) {

        private static @Nullable Object inContext(
                ReactiveAdapter adapter, @Nullable Object returned, Function<Context, Context> entered) {
            if (returned == null) {
                return null;
            }
            Flux<Object> changed =
                    Flux.<Object>from(adapter.toPublisher(returned)).contextWrite(entered);
            return adapter.fromPublisher(adapter.isMultiValue() ? changed : changed.singleOrEmpty());
        }

        private ReturnKind returnKind(Method declared, Streams streams) {
            int stream = streams.parameterOf(declared);
            if (stream < 0) {
                return returnKind(declared);
            }
            ReactiveAdapter given = Objects.requireNonNull(reactive(method.types[stream]));
            return streams.areElements()
                    ? invocation -> adapter.fromPublisher(each(streams, given, invocation, stream))
                    : afterArgument(returnKind(declared), given, stream);
        }

        private ReturnKind returnKind(Method declared) {
            if (!adapter.isMultiValue()) {
                return invocation -> adapter.fromPublisher(one(invocation));
            }
            // It returns what it is given, which is in memory anyway, so that all can wait for the last.
            return takesMany(declared)
                    ? invocation -> adapter.fromPublisher(
                            retry.mono(method.operation, many(invocation).collectList())
                                    .flatMapIterable(all -> all))
                    : invocation -> adapter.fromPublisher(retry.flux(method.operation, many(invocation)));
        }

        /** Runs the method for each element of its argument: so each has the timestamp of its emission. */
        private Publisher<Object> each(
                Streams streams, ReactiveAdapter elements, ProxyMethodInvocation invocation, int stream) {
            Publisher<Object> source = publisher(elements, invocation, stream);
            Function<Object, Mono<List<Object>>> write =
                    element -> many(with(invocation, stream, elements.fromPublisher(Mono.just(element))))
                            .collectList();
            Flux<List<Object>> written = streams == Streams.ELEMENTS_IN_ORDER
                    ? retry.eachInOrder(method.operation, source, write)
                    : retry.each(method.operation, source, write);
            Flux<Object> all = written.flatMapIterable(each -> each);
            return adapter.isMultiValue() ? all : all.ignoreElements();
        }

        /** The write is decided when its argument is there, and not before. */
        private ReturnKind afterArgument(ReturnKind kind, ReactiveAdapter given, int parameter) {
            return invocation -> {
                Flux<Object> returned = Flux.deferContextual(context -> {
                    // The argument may be emitted by another thread than the one that subscribes.
                    Function<Context, Context> around = ReactiveWriteScope.handOn(context);
                    return Mono.from(publisher(given, invocation, parameter))
                            .map(Optional::of)
                            .defaultIfEmpty(Optional.empty())
                            .flatMapMany(value -> {
                                ProxyMethodInvocation decided =
                                        with(invocation, parameter, given.fromPublisher(Mono.justOrEmpty(value)));
                                return Flux.from(run(kind, decided)).contextWrite(around);
                            });
                });
                return adapter.fromPublisher(adapter.isMultiValue() ? returned : returned.next());
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

        private Mono<Object> one(ProxyMethodInvocation invocation) {
            return method.keeping(invocation)
                    .reactive()
                    .mono(method.operation, Mono.defer(() -> Mono.from(run(RetriedMethod::attempt, invocation))))
                    .switchIfEmpty(Mono.fromSupplier(() -> method.answer(null)));
        }

        private Flux<Object> many(ProxyMethodInvocation invocation) {
            return Flux.defer(() -> run(RetriedMethod::attempt, invocation));
        }

        private Publisher<Object> run(ReturnKind kind, ProxyMethodInvocation invocation) {
            try {
                return adapter.toPublisher(kind.retry(invocation));
            } catch (Throwable failure) {
                return Mono.error(failure);
            }
        }
    }
}
