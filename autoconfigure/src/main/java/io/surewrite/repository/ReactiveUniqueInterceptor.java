package io.surewrite.repository;

import java.util.List;
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
        Object argument = UniqueInterceptor.required(arguments[0], mutation);
        Class<?> declared = invocation.getMethod().getParameterTypes()[0];
        ReactiveAdapter adapter = Objects.requireNonNull(
                ADAPTERS.getAdapter(invocation.getMethod().getReturnType()), "Reactive repositories answer reactively");
        Publisher<?> answer = mutation == RepositoryMutation.DELETE
                ? each(argument, declared, entities::delete).then()
                : write(argument, declared);
        return adapter.fromPublisher(answer);
    }

    private Flux<Object> write(Object argument, Class<?> declared) {
        if (!UniqueInterceptor.overwrites(mutation, saveOverwrites)) {
            return each(argument, declared, mutation == RepositoryMutation.INSERT ? entities::insert : entities::save);
        }
        return declared == Iterable.class
                ? Flux.defer(() -> entities.overwrite(UniqueInterceptor.all((Iterable<?>) argument, mutation)))
                : each(
                        argument,
                        declared,
                        row -> entities.overwrite(List.of(row)).next());
    }

    private <R> Flux<R> each(Object argument, Class<?> declared, Function<Object, Mono<R>> operation) {
        if (declared == Iterable.class) {
            return Flux.defer(() -> Flux.fromIterable(UniqueInterceptor.all((Iterable<?>) argument, mutation)))
                    .concatMap(operation);
        }
        ReactiveAdapter adapter = ADAPTERS.getAdapter(declared);
        return adapter == null
                ? operation.apply(argument).flux()
                : Flux.from(adapter.toPublisher(argument)).concatMap(operation);
    }
}
