package io.surewrite.repository;

import io.surewrite.cql.analysis.CqlText;
import io.surewrite.cql.session.StatementGuards;
import io.surewrite.unique.rows.ConstrainedTable;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import reactor.core.publisher.Flux;

/**
 * Around a save or an insert, whose statements are guarded where they are sent: refuses what no statement shows, and says
 * that an insert's rows are new.
 */
final class SavedEntities {

    private SavedEntities() {}

    /** Around what may write over rows. */
    static MethodInterceptor around(Method method, Supplier<ConstrainedTable> table) {
        return around(method, table, null, invocation -> invocation::proceed);
    }

    /** Around an insert. */
    static MethodInterceptor insert(Method method, Supplier<ConstrainedTable> table, CqlText.Name inserted) {
        return around(method, table, inserted, invocation -> invocation::proceed);
    }

    /** In the place of an insert by overwrites, which the template does as well. */
    static MethodInterceptor insertNew(
            Method method, Supplier<ConstrainedTable> table, CqlText.Name inserted, Object template) {
        return around(method, table, inserted, invocation -> {
            Object entity = GuardedOverwrite.argument(invocation);
            return () -> template instanceof CassandraOperations blocking
                    ? blocking.insert(entity)
                    : ((ReactiveCassandraOperations) template).insert(entity);
        });
    }

    /**
     * @param inserted the table whose rows it inserts; null if they may be there
     */
    private static MethodInterceptor around(
            Method method,
            Supplier<ConstrainedTable> table,
            CqlText.@Nullable Name inserted,
            Function<MethodInvocation, StatementGuards.Call> sending) {
        ReactiveAdapter adapter = RetriedMethod.reactive(Signature.returnType(method));
        Class<?> declared = method.getParameterTypes()[0];
        if (adapter != null) {
            ReactiveAdapter stream = RetriedMethod.reactive(declared);
            return invocation -> {
                ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
                Object returned = stream == null
                        ? Reactive.checked(adapter, call, sending, row -> check(table, declared, row))
                        : Reactive.stream(stream, call, sending, row -> check(table, Object.class, row));
                return inserted == null
                        ? returned
                        : ReactiveReturn.inContext(
                                adapter, returned, context -> context.put(StatementGuards.INSERTING, inserted));
            };
        }
        return invocation -> {
            StatementGuards.Call send = sending.apply(invocation);
            check(table, declared, invocation.getArguments()[0]);
            return inserted == null ? send.proceed() : StatementGuards.inserting(inserted, send);
        };
    }

    private static void check(Supplier<ConstrainedTable> table, Class<?> declared, @Nullable Object argument) {
        ConstrainedTable its = table.get();
        if (its.isTried() || argument == null) {
            return;
        }
        for (Object entity : declared == Iterable.class ? (Iterable<?>) argument : List.of(argument)) {
            if (entity != null) {
                its.requireSteady(entity);
            }
        }
    }

    /** Apart, because Reactor is optional. */
    private static final class Reactive {

        static @Nullable Object checked(
                ReactiveAdapter adapter,
                ProxyMethodInvocation invocation,
                Function<MethodInvocation, StatementGuards.Call> sending,
                Consumer<@Nullable Object> check)
                throws Throwable {
            Object argument = invocation.getArguments()[0];
            return ReactiveReturn.after(adapter, sending.apply(invocation).proceed(), scope -> check.accept(argument));
        }

        /** The elements of a stream are not there yet. */
        static @Nullable Object stream(
                ReactiveAdapter stream,
                ProxyMethodInvocation invocation,
                Function<MethodInvocation, StatementGuards.Call> sending,
                Consumer<@Nullable Object> check)
                throws Throwable {
            @Nullable Object[] arguments = invocation.getArguments();
            arguments[0] = stream.fromPublisher(
                    Flux.from(stream.toPublisher(arguments[0])).doOnNext(check));
            invocation.setArguments(arguments);
            return sending.apply(invocation).proceed();
        }
    }
}
