package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.analysis.CqlText;
import io.surewrite.cql.session.StatementGuards;
import io.surewrite.rows.RowTable;
import io.surewrite.unique.rows.CqlRows;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import reactor.core.publisher.Flux;

/**
 * Around what writes entities, whose rows are guarded where they are sent: refuses what no statement shows, and says that
 * an insert's rows are new.
 *
 * @param mapped the columns of the entities
 * @param rows with all constraints that are known by now
 * @param tried the columns of unique values whose conversion was tried twice
 */
record SavedEntities(
        CassandraConverter converter,
        CassandraPersistentEntity<?> entity,
        Set<CqlIdentifier> mapped,
        Supplier<CqlRows> rows,
        Set<CqlIdentifier> tried) {

    /**
     * Around a method.
     *
     * @param inserted the table whose rows it inserts; null if they may be there
     */
    MethodInterceptor around(Method method, CqlText.@Nullable Name inserted) {
        ReactiveAdapter adapter = RetriedMethod.reactive(Signature.returnType(method));
        Class<?> declared = method.getParameterTypes()[0];
        if (adapter == null) {
            return invocation -> {
                check(declared, readable(declared, invocation));
                return inserted == null
                        ? invocation.proceed()
                        : StatementGuards.inserting(inserted, invocation::proceed);
            };
        }
        ReactiveAdapter stream = RetriedMethod.reactive(declared);
        return invocation -> {
            Object argument = readable(declared, invocation);
            Object returned = stream == null
                    ? ReactiveReturn.after(adapter, invocation.proceed(), scope -> check(declared, argument))
                    : Reactive.checked(this, stream, (ProxyMethodInvocation) invocation);
            return inserted == null
                    ? returned
                    : ReactiveReturn.inContext(
                            adapter, returned, context -> context.put(StatementGuards.INSERTING, inserted));
        };
    }

    /** What is to be written; it is read again when it is written. */
    private static @Nullable Object readable(Class<?> declared, MethodInvocation invocation) {
        @Nullable Object[] arguments = invocation.getArguments();
        Object readable = EntityArguments.readable(declared, arguments[0]);
        if (readable != arguments[0]) {
            arguments[0] = readable;
            ((ProxyMethodInvocation) invocation).setArguments(arguments);
        }
        return readable;
    }

    private void check(Class<?> declared, @Nullable Object argument) {
        if (argument == null || untried().findAny().isEmpty()) {
            return;
        }
        for (Object each : declared == Iterable.class ? (Iterable<?>) argument : List.of(argument)) {
            if (each != null) {
                requireSteady(each);
            }
        }
    }

    /**
     * Refuses a cipher with a random start, which makes another value of the same text each time: then no two rows have the
     * same. Each column is looked at once.
     */
    private void requireSteady(Object saved) {
        Map<CqlIdentifier, @Nullable Object> once = new HashMap<>();
        Map<CqlIdentifier, @Nullable Object> again = new HashMap<>();
        converter.write(saved, once, entity);
        converter.write(saved, again, entity);
        RowTable table = rows.get().table();
        untried().filter(name -> once.get(name) != null).forEach(name -> {
            if (!Objects.equals(encoded(table, name, once), encoded(table, name, again))) {
                throw new InvalidDataAccessApiUsageException(
                        ("%s of %s is converted to another value each time, so that no two rows could be seen to have the same."
                                        + " Fix: convert it to the same value each time, or make a hash of it, in a column of its"
                                        + " own, unique")
                                .formatted(name.asCql(true), entity.getType().getSimpleName()));
            }
            tried.add(name);
        });
    }

    private Stream<CqlIdentifier> untried() {
        return rows.get().constrained().stream().filter(name -> mapped.contains(name) && !tried.contains(name));
    }

    private static @Nullable ByteBuffer encoded(
            RowTable table, CqlIdentifier name, Map<CqlIdentifier, @Nullable Object> values) {
        Object value = values.get(name);
        return value == null ? null : table.encoded(table.column(name), value);
    }

    /** Apart, because Reactor is optional. */
    private static final class Reactive {

        /** The elements of a stream are not there yet. */
        static @Nullable Object checked(SavedEntities saved, ReactiveAdapter stream, ProxyMethodInvocation invocation)
                throws Throwable {
            @Nullable Object[] arguments = invocation.getArguments();
            arguments[0] = stream.fromPublisher(
                    Flux.from(stream.toPublisher(arguments[0])).doOnNext(row -> saved.check(Object.class, row)));
            invocation.setArguments(arguments);
            return invocation.proceed();
        }
    }
}
