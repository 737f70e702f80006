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
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import reactor.core.publisher.Flux;

/**
 * Sends what a repository method overwrites through the guard, in the place of the overwrite itself, with the callbacks and
 * events that Spring Data's templates have. Rows are written one by one: the first that is refused ends the call, and those
 * before it stay written. What is sent is checked for all rows before the first is sent.
 *
 * @param overwriting checks what is overwritten, and writes it; asked for at the first overwrite
 * @param tables gives the table, with all constraints that are known by now
 * @param lifecycle what goes around a save
 */
record GuardedOverwrite(
        Supplier<Overwrites> overwriting,
        ClaimingGuard guard,
        CassandraPersistentEntity<?> entity,
        Supplier<ConstrainedTable> tables,
        EntityLifecycle lifecycle) {

    MethodInterceptor interceptor(boolean reactive) {
        return reactive ? new Reactive(this, lifecycle.reactive()) : new Blocking(this, lifecycle.blocking());
    }

    private CqlIdentifier name() {
        return entity.getTableName();
    }

    /** What the method is given; a guard chooses timestamp and consistency itself, and a row that expires would leave its claims. */
    static Object argument(MethodInvocation invocation) {
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

    private static Object required(@Nullable Object argument) {
        if (argument == null) {
            throw new OverwriteException(Reason.NULL_ENTITY, "There is nothing to write: the entity is null.");
        }
        return argument;
    }

    /** What is given, before the first of it is written. */
    private List<Object> all(Object given) {
        List<Object> all = new ArrayList<>();
        ((Iterable<?>) given).forEach(each -> all.add(required(each)));
        return all;
    }

    /** A row after its first callbacks, and what writes it. */
    private record Checked(Object entity, ConstrainedTable table, EntityWrite write) {}

    /** Checks what is written, before the first of it is sent. */
    private CompletionStage<List<Checked>> check(EntityLifecycle.Steps steps, List<Object> together) {
        return EntityLifecycle.each(together, row -> steps.beforeConvert(row, name()))
                .thenApply(converted -> checked(converted, steps.scope()));
    }

    private List<Checked> checked(List<Object> converted, @Nullable WriteScope scope) {
        ConstrainedTable table = tables.get();
        Iterator<LongFunction<CompletionStage<Void>>> writes =
                overwriting.get().guarded(converted, scope).iterator();
        return converted.stream()
                .map(entity -> new Checked(entity, table, table.overwrite(entity, writes.next())))
                .toList();
    }

    private CompletionStage<Object> send(EntityLifecycle.Steps steps, Checked checked) {
        return steps.beforeSave(checked.entity(), name(), checked.table().writeStatement())
                .thenCompose(saved -> steps.send(
                                () -> guard.overwriteAsync(checked.table().rows(), checked.write()))
                        .thenApply(done -> lifecycle.afterSave(saved, name())));
    }

    private record Blocking(GuardedOverwrite method, EntityLifecycle.Blocking steps) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) {
            Object argument = argument(invocation);
            // A list that callers may change, as Spring Data returns one.
            return isMany(invocation)
                    ? new ArrayList<@Nullable Object>(write(method.all(argument)))
                    : write(List.of(argument)).get(0);
        }

        private List<Object> write(List<Object> together) {
            return DriverFailures.joined(method.check(steps, together)).stream()
                    .map(checked -> DriverFailures.joined(method.send(steps, checked)))
                    .toList();
        }
    }

    /** As {@link Blocking}; nothing happens before the subscription, and the next row when the one before is written. */
    private record Reactive(GuardedOverwrite method, EntityLifecycle.Reactive lifecycle) implements MethodInterceptor {

        private static final ReactiveAdapterRegistry ADAPTERS = ReactiveAdapterRegistry.getSharedInstance();

        @Override
        public Object invoke(MethodInvocation invocation) {
            Object argument = argument(invocation);
            boolean many = isMany(invocation);
            ReactiveAdapter given = ADAPTERS.getAdapter(invocation.getMethod().getParameterTypes()[0]);
            ReactiveAdapter returned = Objects.requireNonNull(
                    ADAPTERS.getAdapter(Signature.returnType(invocation.getMethod())),
                    "Reactive repositories return publishers");
            Flux<Object> rows = many
                    ? Flux.defer(() -> Flux.fromIterable(method.all(argument)))
                    : given == null ? Flux.just(argument) : Flux.from(given.toPublisher(argument));
            return returned.fromPublisher(
                    many ? rows.collectList().flatMapMany(this::write) : rows.concatMap(row -> write(List.of(row))));
        }

        private Flux<Object> write(List<Object> together) {
            return lifecycle
                    .mono(call -> method.check(call, together))
                    .flatMapMany(Flux::fromIterable)
                    .concatMap(checked -> lifecycle.mono(call -> method.send(call, checked)));
        }
    }
}
