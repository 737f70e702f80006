package io.surewrite.repository;

import io.surewrite.cql.analysis.CqlText;
import io.surewrite.cql.session.StatementGuards;
import io.surewrite.unique.rows.ConstrainedTable;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
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
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(Signature.returnType(method));
        if (adapter != null) {
            return invocation ->
                    Reactive.proceed((ProxyMethodInvocation) invocation, adapter, table, inserted, sending);
        }
        return invocation -> {
            StatementGuards.Call send = sending.apply(invocation);
            check(table, invocation.getArguments()[0]);
            return inserted == null ? send.proceed() : StatementGuards.inserting(inserted, send);
        };
    }

    private static void check(Supplier<ConstrainedTable> table, @Nullable Object argument) {
        ConstrainedTable its = table.get();
        if (its.isTried() || argument == null) {
            return;
        }
        for (Object entity : argument instanceof Iterable<?> entities ? entities : List.of(argument)) {
            if (entity != null) {
                its.requireSteady(entity);
            }
        }
    }

    /** Apart, because Reactor is optional. */
    private static final class Reactive {

        static @Nullable Object proceed(
                ProxyMethodInvocation invocation,
                ReactiveAdapter adapter,
                Supplier<ConstrainedTable> table,
                CqlText.@Nullable Name inserted,
                Function<MethodInvocation, StatementGuards.Call> sending)
                throws Throwable {
            @Nullable Object[] arguments = invocation.getArguments();
            Object argument = arguments[0];
            if (argument instanceof Publisher<?> rows) {
                arguments[0] = Flux.from(rows).doOnNext(row -> check(table, row));
                invocation.setArguments(arguments);
            }
            Object returned = sending.apply(invocation).proceed();
            if (!(argument instanceof Publisher<?>)) {
                returned = ReactiveReturn.after(adapter, returned, scope -> check(table, argument));
            }
            return inserted == null
                    ? returned
                    : ReactiveReturn.inContext(
                            adapter, returned, context -> context.put(StatementGuards.INSERTING, inserted));
        }
    }
}
