package io.surewrite.repository;

import io.surewrite.internal.lwt.SettledStatements;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.internal.session.TemplateScope;
import io.surewrite.retry.Idempotent;
import io.surewrite.session.SureSession;
import io.surewrite.write.WriteId;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.annotation.Order;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import reactor.core.publisher.Flux;

/**
 * Has the conditions settled by which {@link Idempotent} methods write. Around each attempt it sees to the versions of entities
 * that can be changed: Spring Data counts them up before it writes, whatever becomes of that.
 *
 * @param guards what templates send goes by them
 * @param settled what settles the statements of a session
 */
@Order(RepositoryMethodAdvice.ATTEMPT)
public record ConditionalRepositoryAdvice(StatementGuards guards, Function<SureSession, SettledStatements> settled)
        implements RepositoryMethodAdvice {

    @Override
    public Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
        return method ->
                IdempotentPlans.annotation(method, repository.type()) == null || !repository.isVersioned(method)
                        ? null
                        : ofEntities(repository, method);
    }

    private @Nullable MethodInterceptor ofEntities(PlannedRepository repository, Method method) {
        SureSession own = repository.own();
        CassandraPersistentEntity<?> entity = repository.entity();
        CassandraPersistentProperty writeId = entity.getPersistentProperty(WriteId.class);
        repository
                .table()
                .ifPresent(table -> settled.apply(own)
                        .add(
                                table,
                                writeId == null ? null : writeId.getRequiredColumnName(),
                                entity.getRequiredVersionProperty().getRequiredColumnName()));
        TemplateScope.enter(own.template(), guards);
        ReactiveAdapter returns = RetriedMethod.reactive(Signature.returnType(method));
        MethodInterceptor write =
                method.getName().equals("delete") && own.template() instanceof CassandraOperations template
                        ? invocation -> deleted(template, invocation)
                        : MethodInvocation::proceed;
        return invocation -> {
            Attempt attempt = new Attempt(own.converter().getMappingContext(), new ConcurrentLinkedQueue<>(), write);
            return returns == null ? attempt.run(invocation) : Reactive.run(attempt, returns, invocation);
        };
    }

    /** Spring Data's blocking repositories delete an entity by its id, whatever its version. */
    private static @Nullable Object deleted(CassandraOperations template, MethodInvocation invocation)
            throws Throwable {
        Object entity = invocation.getArguments()[0];
        if (entity == null) {
            return invocation.proceed();
        }
        template.delete(entity);
        return null;
    }

    /** One attempt; a failure of it leaves entities their versions. */
    private record Attempt(CassandraMappingContext mapping, Queue<Runnable> versions, MethodInterceptor write) {

        @Nullable
        Object run(MethodInvocation invocation) throws Throwable {
            for (Object argument : invocation.getArguments()) {
                (argument instanceof Iterable<?> many ? many : Collections.singletonList(argument))
                        .forEach(this::remember);
            }
            try {
                return write.invoke(invocation);
            } catch (Throwable failure) {
                restore();
                throw failure;
            }
        }

        void remember(@Nullable Object entity) {
            if (entity == null || !mapping.hasPersistentEntityFor(entity.getClass())) {
                return;
            }
            CassandraPersistentEntity<?> mapped = mapping.getRequiredPersistentEntity(entity.getClass());
            CassandraPersistentProperty version = mapped.getVersionProperty();
            if (version != null && !version.isImmutable()) {
                PersistentPropertyAccessor<Object> properties = mapped.getPropertyAccessor(entity);
                Object before = properties.getProperty(version);
                versions.add(() -> properties.setProperty(version, before));
            }
        }

        void restore() {
            versions.forEach(Runnable::run);
        }
    }

    /** Apart, because Reactor is optional. */
    private static final class Reactive {

        static @Nullable Object run(Attempt attempt, ReactiveAdapter returns, MethodInvocation invocation)
                throws Throwable {
            @Nullable Object[] arguments = invocation.getArguments();
            Class<?>[] types = invocation.getMethod().getParameterTypes();
            for (int i = 0; i < arguments.length; i++) {
                Object argument = arguments[i];
                ReactiveAdapter given = argument == null ? null : RetriedMethod.reactive(types[i]);
                if (given != null) {
                    arguments[i] = given.fromPublisher(
                            Flux.from(given.toPublisher(argument)).doOnNext(attempt::remember));
                }
            }
            Object returned = attempt.run(invocation);
            if (returned == null) {
                return null;
            }
            Publisher<Object> all = returns.toPublisher(returned);
            return returns.fromPublisher(Flux.from(all).doOnError(failure -> attempt.restore()));
        }
    }
}
