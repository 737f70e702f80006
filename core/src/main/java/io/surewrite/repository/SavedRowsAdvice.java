package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.InvalidConfigurationException;
import io.surewrite.cql.WriteScope;
import io.surewrite.retry.RowWrittenTwiceException;
import io.surewrite.session.SureSession;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.annotation.Order;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.convert.Where;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;

/**
 * Refuses a save that would write a row differently, with the same timestamp, than its own call or its logical write has
 * done before. Overwrites see to that themselves. Around the retry, so that nothing of the call has been sent.
 */
@Order(RepositoryMethodAdvice.SAVED_ROWS)
public record SavedRowsAdvice() implements RepositoryMethodAdvice {

    @Override
    public Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
        return method -> {
            RepositoryMutation mutation = repository.mutation(method);
            boolean saves = mutation == RepositoryMutation.SAVE && !repository.savesOverwrite();
            boolean inserts = mutation == RepositoryMutation.INSERT
                    && repository.information().isBaseClassMethod(method);
            boolean retried = IdempotentPlans.annotation(method, repository.type()) != null;
            return saves || inserts ? interceptor(method, new Rows(repository.own(), retried)) : null;
        };
    }

    private static MethodInterceptor interceptor(Method method, Rows rows) {
        ReactiveAdapter adapter = RetriedMethod.reactive(Signature.returnType(method));
        Class<?> saved = method.getParameterTypes()[0]; // once: each look makes a new array
        boolean streams = RetriedMethod.reactive(saved) != null;
        return adapter == null
                ? invocation -> {
                    rows.admit(WriteScope.current(), argument(saved, invocation));
                    return invocation.proceed();
                }
                : invocation -> {
                    Object argument = argument(saved, invocation);
                    Object returned = invocation.proceed();
                    // The elements of a stream are not there yet.
                    return streams || argument instanceof Publisher<?>
                            ? returned
                            : ReactiveReturn.after(adapter, returned, scope -> rows.admit(scope, argument));
                };
    }

    /** What is to be written; it is read again when it is written, and by each attempt. */
    private static @Nullable Object argument(Class<?> type, MethodInvocation invocation) {
        @Nullable Object[] arguments = invocation.getArguments();
        arguments[0] = EntityArguments.readable(type, arguments[0]);
        ((ProxyMethodInvocation) invocation).setArguments(arguments);
        return arguments[0];
    }

    /** The rows of a repository. */
    private record Rows(SureSession own, boolean retried) {

        /**
         * Notes what is about to be written.
         *
         * @param scope the logical write that the call is part of, or null if it is none, or one of its own
         * @param argument one entity, or several
         */
        void admit(@Nullable WriteScope scope, @Nullable Object argument) {
            boolean many = argument instanceof Iterable<?>;
            if (argument == null || (scope == null && !(retried && many))) {
                return;
            }
            Map<RowKey, Object> ofCall = new HashMap<>();
            for (Object entity : many ? (Iterable<?>) argument : List.of(argument)) {
                RowKey key = entity == null ? null : key(scope, entity);
                if (key != null) {
                    Object before = ofCall.put(key, entity);
                    if (before != null) {
                        requireSame(key, row(before), row(entity));
                    }
                }
            }
            if (scope != null) {
                Map<RowKey, Object> written = new HashMap<>();
                ofCall.forEach((key, entity) -> written.put(key, row(entity)));
                scope.notes().get(OfAttempt.class, OfAttempt::new).add(written);
            }
        }

        /** Which row; null if a condition decides about it, or if the key is still to be made: then it is another one. */
        private @Nullable RowKey key(@Nullable WriteScope scope, Object entity) {
            CassandraPersistentEntity<?> type = type(entity);
            if (type.hasVersionProperty() || converter().getId(entity, type) == null) {
                return null;
            }
            Where key = new Where();
            converter().write(entity, key, type);
            return key.containsValue(null)
                    ? null
                    : new RowKey(
                            place(),
                            type.getKeyspace(),
                            type.getTableName(),
                            key,
                            scope == null ? 0 : scope.timestamp());
        }

        /** Where: one call may write to several clusters, and through several templates of one. */
        private Object place() {
            try {
                return own.session().getContext();
            } catch (InvalidConfigurationException none) { // a template that nothing sure can be done with
                return own.template();
            }
        }

        /** What is written; columns that are left out count as null. */
        private Map<CqlIdentifier, Object> row(Object entity) {
            Map<CqlIdentifier, Object> row = new LinkedHashMap<>();
            converter().write(entity, row, type(entity));
            row.values().removeIf(value -> value == null);
            return row;
        }

        private CassandraPersistentEntity<?> type(Object entity) {
            return converter().getMappingContext().getRequiredPersistentEntity(entity.getClass());
        }

        private CassandraConverter converter() {
            return own.converter();
        }
    }

    /** A row that is written at a time. */
    private record RowKey(
            Object place, @Nullable CqlIdentifier keyspace, CqlIdentifier table, Where key, long timestamp) {}

    /** The rows that one attempt of a logical write has saved. */
    private static final class OfAttempt {

        private final Map<RowKey, Object> rows = new HashMap<>();

        synchronized void add(Map<RowKey, Object> written) {
            written.forEach((key, row) -> {
                Object before = rows.get(key);
                if (before != null) {
                    requireSame(key, before, row);
                }
            });
            rows.putAll(written);
        }
    }

    private static void requireSame(RowKey key, Object before, Object row) {
        if (!before.equals(row)) {
            throw new RowWrittenTwiceException(
                    ("One logical write saves a row of table %s twice, with different values and the same timestamp, so that"
                                    + " the row would become a mix of both: give it once, or save it again in a logical"
                                    + " write of its own.")
                            .formatted(key.table().asCql(true)));
        }
    }
}
