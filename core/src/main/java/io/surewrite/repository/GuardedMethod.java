package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.cql.session.EntityLifecycle;
import io.surewrite.overwrite.OverwriteException;
import io.surewrite.overwrite.OverwriteException.Reason;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.engine.Overwrites;
import io.surewrite.unique.claims.ClaimingGuard;
import io.surewrite.unique.claims.EntityWrite;
import io.surewrite.unique.rows.ConstrainedTable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
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
 * @param overwriting checks what is overwritten, and writes it; asked for at the first overwrite
 * @param lifecycle what goes around a save
 */
record GuardedMethod(
        RepositoryMutation mutation,
        boolean overwrites,
        Supplier<Overwrites> overwriting,
        ClaimingGuard guard,
        CassandraPersistentEntity<?> entity,
        ConstrainedTable table,
        EntityLifecycle lifecycle) {

    MethodInterceptor interceptor(boolean reactive) {
        return reactive ? new Reactive(this, lifecycle.reactive()) : new Blocking(this, lifecycle.blocking());
    }

    /** {@return what writes or deletes one row; of a reactive repository it returns a {@link Mono}} */
    Function<Object, @Nullable Object> one(boolean reactive) {
        return reactive ? new Reactive(this, lifecycle.reactive())::one : new Blocking(this, lifecycle.blocking())::one;
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
                    ? new OverwriteException(Reason.NULL_ENTITY, problem)
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
    private List<EntityWrite> writes(List<Object> converted, @Nullable WriteScope scope) {
        if (!overwrites) {
            return converted.stream()
                    .map(mutation == RepositoryMutation.INSERT ? table::insert : table::save)
                    .toList();
        }
        Iterator<LongFunction<CompletionStage<Void>>> checked =
                overwriting.get().guarded(converted, scope).iterator();
        return converted.stream()
                .map(entity -> table.overwrite(entity, checked.next()))
                .toList();
    }

    /** A row after its first callbacks, and what writes it. */
    private record Checked(Object entity, EntityWrite write) {}

    /** Checks what is written, before the first of it is sent. */
    private CompletionStage<List<Checked>> check(EntityLifecycle.Steps steps, List<Object> together) {
        return EntityLifecycle.each(together, row -> steps.beforeConvert(row, name()))
                .thenApply(converted -> {
                    Iterator<EntityWrite> writes =
                            writes(converted, steps.scope()).iterator();
                    return converted.stream()
                            .map(entity -> new Checked(entity, writes.next()))
                            .toList();
                });
    }

    private CompletionStage<Object> send(EntityLifecycle.Steps steps, Checked checked) {
        return steps.beforeSave(checked.entity(), name(), table.writeStatement())
                .thenCompose(saved ->
                        steps.send(() -> sent(checked.write())).thenApply(done -> lifecycle.afterSave(saved, name())));
    }

    private CompletionStage<Void> sent(EntityWrite write) {
        if (mutation == RepositoryMutation.INSERT) {
            return guard.insertAsync(table.rows(), write);
        }
        return overwrites ? guard.overwriteAsync(table.rows(), write) : guard.changeAsync(table.rows(), write);
    }

    private CompletionStage<Void> delete(EntityLifecycle.Steps steps, Object entityOrId) {
        String owner = table.owner(entityOrId);
        lifecycle.context().publishEvent(new BeforeDeleteEvent<>(table.deleteStatement(), entity.getType(), name()));
        return steps.send(() -> guard.deleteAsync(table.rows(), owner))
                .thenRun(() -> lifecycle
                        .context()
                        .publishEvent(new AfterDeleteEvent<>(table.deleteStatement(), entity.getType(), name())));
    }

    private record Blocking(GuardedMethod method, EntityLifecycle.Blocking steps) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) {
            Object argument = method.argument(invocation);
            if (!isMany(invocation)) {
                return one(argument);
            }
            List<Object> rows = method.all(argument);
            if (method.mutation == RepositoryMutation.DELETE) {
                rows.forEach(this::one);
                return null;
            }
            // A list that callers may change, as Spring Data returns one.
            List<@Nullable Object> written = new ArrayList<>();
            if (method.overwrites) {
                written.addAll(write(rows));
            } else {
                rows.forEach(row -> written.add(one(row)));
            }
            return written;
        }

        @Nullable
        Object one(Object row) {
            return method.mutation == RepositoryMutation.DELETE
                    ? DriverFailures.joined(method.delete(steps, row))
                    : write(List.of(row)).get(0);
        }

        private List<Object> write(List<Object> together) {
            return DriverFailures.joined(method.check(steps, together)).stream()
                    .map(checked -> DriverFailures.joined(method.send(steps, checked)))
                    .toList();
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
                return returned.fromPublisher(rows.concatMap(this::one).then());
            }
            return returned.fromPublisher(
                    method.overwrites && many
                            ? rows.collectList().flatMapMany(this::write)
                            : rows.concatMap(this::one));
        }

        Mono<?> one(Object row) {
            return method.mutation == RepositoryMutation.DELETE
                    ? lifecycle.mono(call -> method.delete(call, row))
                    : write(List.of(row)).single();
        }

        private Flux<Object> write(List<Object> together) {
            return lifecycle
                    .mono(call -> method.check(call, together))
                    .flatMapMany(Flux::fromIterable)
                    .concatMap(checked -> lifecycle.mono(call -> method.send(call, checked)));
        }
    }
}
