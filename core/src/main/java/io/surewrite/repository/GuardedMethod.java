package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.overwrite.NullEntityException;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.rows.EntityLifecycle;
import io.surewrite.session.SureSession;
import io.surewrite.unique.claims.ClaimingGuard;
import io.surewrite.unique.claims.ConstrainedRows;
import io.surewrite.unique.claims.EntityWrite;
import io.surewrite.unique.rows.ConstrainedTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.event.AfterDeleteEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeDeleteEvent;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends what a repository method writes through the guard, in the place of Spring Data's own implementation, with the
 * callbacks and events that Spring Data's templates have. Rows are written one by one: the first that is refused ends the call,
 * and those before it stay written. What an overwrite sends is checked for all rows before the first is sent.
 *
 * @param mutation what the method does
 * @param overwrites whether that is an overwrite
 * @param own what belongs to the repository
 * @param context has callbacks, and receives events
 */
record GuardedMethod(
        RepositoryMutation mutation,
        boolean overwrites,
        SureSession own,
        ClaimingGuard guard,
        CassandraPersistentEntity<?> entity,
        ConstrainedTable table,
        ApplicationContext context) {

    MethodInterceptor interceptor(boolean reactive) {
        EntityLifecycle lifecycle = new EntityLifecycle(context);
        return reactive ? new Reactive(this, lifecycle.reactive()) : new Blocking(this, lifecycle.blocking());
    }

    /** {@return what writes or deletes one row; of a reactive repository it returns a {@link Mono}} */
    Function<Object, @Nullable Object> one(boolean reactive) {
        EntityLifecycle lifecycle = new EntityLifecycle(context);
        return reactive ? new Reactive(this, lifecycle.reactive())::one : new Blocking(this, lifecycle.blocking())::one;
    }

    private boolean inserts() {
        return mutation == RepositoryMutation.INSERT;
    }

    private ConstrainedRows rows() {
        return table.rows();
    }

    private CqlIdentifier name() {
        return entity.getTableName();
    }

    /** What the method is given; a guard chooses timestamp and consistency itself, and a row that expires would leave its claims. */
    private Object argument(MethodInvocation invocation) {
        @Nullable Object[] arguments = invocation.getArguments();
        if (arguments.length > 1
                && Signature.parameterCount(invocation.getMethod()) > 1
                && !OverwriteOptions.none().equals(arguments[1])) {
            throw new InvalidDataAccessApiUsageException(
                    "A row with unique constraints is overwritten without options: its timestamp and consistency are the guard's, and it must not expire");
        }
        return required(arguments[0]);
    }

    private static boolean isMany(MethodInvocation invocation) {
        return invocation.getMethod().getParameterTypes()[0] == Iterable.class;
    }

    private Object required(@Nullable Object argument) {
        if (argument == null) {
            String problem = "There is nothing to write or to delete: the entity or id is null.";
            throw mutation == RepositoryMutation.OVERWRITE
                    ? new NullEntityException(problem)
                    : new InvalidDataAccessApiUsageException(problem);
        }
        return argument;
    }

    /** What is given, before the first of it is written. */
    private List<Object> all(Object given) {
        List<Object> all = new ArrayList<>();
        ((Iterable<?>) given).forEach(each -> all.add(required(each)));
        return all;
    }

    /** Checks what an overwrite sends. */
    private List<EntityWrite> writes(List<Object> converted) {
        if (!overwrites) {
            return converted.stream()
                    .map(inserts() ? table::insert : table::save)
                    .toList();
        }
        Iterator<LongFunction<CompletionStage<Void>>> checked =
                own.overwriteFactory().guarded(converted).iterator();
        return converted.stream()
                .map(entity -> table.overwrite(entity, checked.next()))
                .toList();
    }

    private void publishBeforeDelete() {
        context.publishEvent(new BeforeDeleteEvent<>(table.deleteStatement(), entity.getType(), name()));
    }

    private void publishAfterDelete() {
        context.publishEvent(new AfterDeleteEvent<>(table.deleteStatement(), entity.getType(), name()));
    }

    private record Blocking(GuardedMethod method, EntityLifecycle.Blocking lifecycle) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) {
            Object argument = method.argument(invocation);
            boolean many = isMany(invocation);
            List<Object> rows = many ? method.all(argument) : List.of(argument);
            if (method.mutation == RepositoryMutation.DELETE) {
                rows.forEach(this::delete);
                return null;
            }
            List<Object> written = write(rows);
            return many ? written : written.get(0);
        }

        @Nullable
        Object one(Object row) {
            if (method.mutation == RepositoryMutation.DELETE) {
                delete(row);
                return null;
            }
            return write(List.of(row)).get(0);
        }

        private List<Object> write(List<Object> rows) {
            List<Object> written = new ArrayList<>();
            // An overwrite's rows are checked together, before the first is sent.
            Stream<List<Object>> checked =
                    method.overwrites ? Stream.of(rows) : rows.stream().map(Collections::singletonList);
            checked.forEach(together -> {
                List<Object> converted = together.stream()
                        .map(row -> lifecycle.beforeConvert(row, method.name()))
                        .toList();
                Iterator<EntityWrite> writes = method.writes(converted).iterator();
                converted.forEach(entity -> written.add(send(entity, writes.next())));
            });
            return written;
        }

        private Object send(Object converted, EntityWrite write) {
            Object saved = lifecycle.beforeSave(converted, method.name(), method.table.writeStatement());
            translated(() -> {
                if (method.inserts()) {
                    method.guard.insert(method.rows(), write);
                } else if (method.overwrites) {
                    method.guard.overwrite(method.rows(), write);
                } else {
                    method.guard.change(method.rows(), write);
                }
            });
            lifecycle.afterSave(saved, method.name());
            return saved;
        }

        private void delete(Object entityOrId) {
            String owner = method.table.owner(entityOrId);
            method.publishBeforeDelete();
            translated(() -> method.guard.delete(method.rows(), owner));
            method.publishAfterDelete();
        }

        /** The guard reports failures of the database as the driver throws them. */
        private static void translated(Runnable operation) {
            try {
                operation.run();
            } catch (RuntimeException failure) {
                throw DriverFailures.translated(failure);
            }
        }
    }

    /** As {@link Blocking}; nothing happens before the subscription, and the next row when the one before is written. */
    private record Reactive(GuardedMethod method, EntityLifecycle.Reactive lifecycle) implements MethodInterceptor {

        private static final ReactiveAdapterRegistry ADAPTERS = ReactiveAdapterRegistry.getSharedInstance();

        @Override
        public Object invoke(MethodInvocation invocation) {
            Object argument = method.argument(invocation);
            boolean many = isMany(invocation);
            ReactiveAdapter given = ADAPTERS.getAdapter(invocation.getMethod().getParameterTypes()[0]);
            ReactiveAdapter returned = Objects.requireNonNull(
                    ADAPTERS.getAdapter(Signature.returnType(invocation.getMethod())),
                    "Reactive repositories return publishers");
            Flux<Object> rows = many
                    ? Flux.defer(() -> Flux.fromIterable(method.all(argument)))
                    : given == null ? Flux.just(argument) : Flux.from(given.toPublisher(argument));
            if (method.mutation == RepositoryMutation.DELETE) {
                return returned.fromPublisher(rows.concatMap(this::delete).then());
            }
            Flux<List<Object>> checked =
                    method.overwrites && many ? rows.collectList().flux() : rows.map(Collections::singletonList);
            return returned.fromPublisher(checked.concatMap(this::write));
        }

        Mono<?> one(Object row) {
            return method.mutation == RepositoryMutation.DELETE
                    ? Mono.defer(() -> delete(row))
                    : write(List.of(row)).single();
        }

        private Flux<Object> write(List<Object> together) {
            return Flux.fromIterable(together)
                    .concatMap(row -> lifecycle.beforeConvert(row, method.name()))
                    .collectList()
                    .flatMapMany(converted -> {
                        List<EntityWrite> writes = method.writes(converted);
                        return Flux.range(0, writes.size()).concatMap(i -> send(converted.get(i), writes.get(i)));
                    });
        }

        private Mono<Object> send(Object converted, EntityWrite write) {
            return lifecycle
                    .beforeSave(converted, method.name(), method.table.writeStatement())
                    .flatMap(saved -> inScope(() -> method.inserts()
                                    ? method.guard.insertAsync(method.rows(), write)
                                    : method.overwrites
                                            ? method.guard.overwriteAsync(method.rows(), write)
                                            : method.guard.changeAsync(method.rows(), write))
                            .then(Mono.fromCallable(() -> {
                                lifecycle.afterSave(saved, method.name());
                                return saved;
                            })));
        }

        private Mono<Void> delete(Object entityOrId) {
            String owner = method.table.owner(entityOrId);
            method.publishBeforeDelete();
            return inScope(() -> method.guard.deleteAsync(method.rows(), owner))
                    .then(Mono.fromRunnable(method::publishAfterDelete));
        }

        /** A guard takes the scope of the thread that calls it. */
        private static Mono<Void> inScope(Supplier<CompletionStage<Void>> operation) {
            return Mono.deferContextual(context -> {
                        WriteScope scope = ReactiveWriteScope.current(context);
                        return Mono.fromCompletionStage(scope == null ? operation.get() : scope.call(operation));
                    })
                    .onErrorMap(RuntimeException.class, DriverFailures::translated);
        }
    }
}
