package io.surewrite.repository;

import java.util.Objects;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** As {@link UniqueInterceptor}, for reactive repositories: rows one by one, the next when the one before is written. */
final class ReactiveUniqueInterceptor implements MethodInterceptor {

    private static final ReactiveAdapterRegistry ADAPTERS = ReactiveAdapterRegistry.getSharedInstance();

    private final RepositoryMutation mutation;
    private final boolean saveOverwrites;
    private final ReactiveGuardedEntities entities;

    ReactiveUniqueInterceptor(RepositoryMutation mutation, boolean saveOverwrites, ReactiveGuardedEntities entities) {
        this.mutation = mutation;
        this.saveOverwrites = saveOverwrites;
        this.entities = entities;
    }

    @Override
    public Object invoke(MethodInvocation invocation) {
        @Nullable Object[] arguments = invocation.getArguments();
        UniqueInterceptor.refuseOptions(arguments);
        Object argument = Objects.requireNonNull(arguments[0], "The entity or id must not be null");
        Class<?> declared = invocation.getMethod().getParameterTypes()[0];
        ReactiveAdapter adapter = Objects.requireNonNull(
                ADAPTERS.getAdapter(invocation.getMethod().getReturnType()), "Reactive repositories answer reactively");
        Publisher<?> answer = mutation == RepositoryMutation.DELETE
                ? each(argument, declared, entities::delete).then()
                : each(argument, declared, operation());
        return adapter.fromPublisher(answer);
    }

    private static <R> Flux<R> each(Object argument, Class<?> declared, Function<Object, Mono<R>> operation) {
        if (declared == Iterable.class) {
            return Flux.fromIterable((Iterable<?>) argument).concatMap(operation);
        }
        ReactiveAdapter adapter = ADAPTERS.getAdapter(declared);
        return adapter == null
                ? operation.apply(argument).flux()
                : Flux.from(adapter.toPublisher(argument)).concatMap(operation);
    }

    private Function<Object, Mono<Object>> operation() {
        if (mutation == RepositoryMutation.INSERT) {
            return entities::insert;
        }
        return mutation == RepositoryMutation.OVERWRITE || saveOverwrites ? entities::overwrite : entities::save;
    }
}
