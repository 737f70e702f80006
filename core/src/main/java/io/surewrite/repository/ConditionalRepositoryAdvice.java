package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.lwt.SettledStatements;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.retry.Idempotent;
import io.surewrite.session.SureSession;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteId;
import io.surewrite.write.WriteOutcome;
import io.surewrite.write.WriteScope;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.annotation.Order;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Has the conditions settled by which {@link Idempotent} methods write. Around each attempt it sees to the versions of entities
 * that can be changed: Spring Data counts them up before it writes, whatever becomes of that.
 */
@Order(RepositoryMethodAdvice.ATTEMPT)
public record ConditionalRepositoryAdvice(StatementGuards guards, Function<SureSession, SettledStatements> settled)
        implements RepositoryMethodAdvice {

    @Override
    public Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
        return method -> {
            boolean isRetried = IdempotentPlans.annotation(method, repository.type()) != null;
            if (isRetried) {
                settleEntities(repository);
            }
            ConditionalText text = isRetried ? ConditionalText.of(repository, method) : null;
            if (text == null) {
                requireNothingToSettle(repository, method, isRetried);
                return isRetried && repository.isVersioned(method) ? ofEntities(repository, method) : null;
            }
            if (!text.reasonsAgainst().isEmpty()) {
                return null; // refused with all that is wrong with the text
            }
            settle(repository, text.table(), text.writeId());
            return text.writeId() == null ? null : new OfText(method, text.parameter());
        };
    }

    private static void requireNothingToSettle(PlannedRepository repository, Method method, boolean isRetried) {
        String cql = repository.statement(method);
        boolean isConditional = cql != null && CqlText.mayBeConditional(SimpleStatement.newInstance(cql));
        if (isConditional && isRetried) {
            return; // refused with all that is wrong with the text
        }
        if (!ConditionalText.parameters(method).isEmpty()
                || (cql != null && ConditionalText.answer(method) == WriteOutcome.class)) {
            throw new InvalidConfigurationException(
                    repository.operation(method),
                    "%s takes a @WriteId, or answers a WriteOutcome, and is no @Idempotent method whose statement has a condition: nothing fills it in"
                            .formatted(repository.operation(method)),
                    "Annotate it with @Idempotent and give it a condition, or take and answer something else.",
                    "conditional");
        }
    }

    /** Also what templates send: each write of an entity carries what its row is known by. */
    private void settleEntities(PlannedRepository repository) {
        CassandraPersistentEntity<?> entity = repository.entity();
        CassandraPersistentProperty writeId = entity.getPersistentProperty(WriteId.class);
        if (writeId != null || entity.hasVersionProperty()) {
            repository
                    .table()
                    .ifPresent(table ->
                            settle(repository, table, writeId == null ? null : writeId.getRequiredColumnName()));
        }
    }

    private void settle(PlannedRepository repository, TableMetadata table, @Nullable CqlIdentifier writeId) {
        CassandraPersistentProperty version =
                repository.table().filter(table::equals).isPresent()
                        ? repository.entity().getVersionProperty()
                        : null;
        settled.apply(repository.own()).add(table, writeId, version == null ? null : version.getRequiredColumnName());
        repository.enter(guards, "conditional");
    }

    private static MethodInterceptor ofEntities(PlannedRepository repository, Method method) {
        CassandraPersistentProperty version = repository.entity().getRequiredVersionProperty();
        ReactiveAdapter returns = RetriedMethod.reactive(Signature.returnType(method));
        MethodInterceptor write =
                method.getName().equals("delete") && repository.own().template() instanceof CassandraOperations template
                        ? invocation -> deleted(template, invocation)
                        : MethodInvocation::proceed;
        return invocation -> {
            Attempt attempt = new Attempt(version, new ConcurrentLinkedQueue<>(), write);
            return returns == null ? attempt.run(invocation) : Reactive.run(attempt, returns, invocation);
        };
    }

    /** Gives each call an id that no other has, and all attempts of it the same. */
    private record OfText(Method method, int parameter) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            ReactiveAdapter returns = RetriedMethod.reactive(Signature.returnType(method));
            return returns == null
                    ? proceed(invocation, WriteScope.current())
                    : Reactive.proceed(this, returns, invocation);
        }

        @Nullable
        Object proceed(MethodInvocation invocation, @Nullable WriteScope scope) throws Throwable {
            @Nullable Object[] arguments = invocation.getArguments().clone();
            arguments[parameter] = null;
            List<@Nullable Object> write =
                    Arrays.asList(arguments).subList(0, Signature.parameterCount(method)).stream()
                            .map(value -> value instanceof byte[] bytes ? ByteBuffer.wrap(bytes.clone()) : value)
                            .collect(Collectors.toCollection(ArrayList::new));
            arguments[parameter] = Objects.requireNonNull(scope, "There is no retry")
                    .statements()
                    .nextWriteId(List.of(method, write));
            return ((ProxyMethodInvocation) invocation)
                    .invocableClone(arguments)
                    .proceed();
        }
    }

    /** Has a method answer the outcome of its statement. Innermost: Spring Data would make something else of the row. */
    static Object outcome(MethodInvocation invocation) throws Throwable {
        AtomicReference<WriteOutcome> outcome = new AtomicReference<>();
        ReactiveAdapter returns = RetriedMethod.reactive(Signature.returnType(invocation.getMethod()));
        if (returns != null) {
            return Reactive.outcome(outcome, returns, invocation);
        }
        try {
            StatementGuards.TELLING.call(outcome::set, invocation::proceed);
            return Objects.requireNonNull(outcome.get(), "Nothing was settled");
        } catch (UnknownOutcomeException unknown) {
            return new WriteOutcome.Unknown(unknown);
        }
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

    /** One attempt; a failure of it leaves entities their versions, if they can be changed. */
    private record Attempt(CassandraPersistentProperty version, Queue<Runnable> versions, MethodInterceptor write) {

        @Nullable
        Object run(MethodInvocation invocation) throws Throwable {
            for (Object argument : invocation.getArguments()) {
                if (argument instanceof Iterable<?> many) {
                    many.forEach(this::remember);
                } else {
                    remember(argument);
                }
            }
            try {
                return write.invoke(invocation);
            } catch (Throwable failure) {
                restore();
                throw failure;
            }
        }

        void remember(@Nullable Object entity) {
            if (!version.isImmutable() && version.getOwner().getType().isInstance(entity)) {
                PersistentPropertyAccessor<Object> properties =
                        version.getOwner().getPropertyAccessor(entity);
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

        static Object proceed(OfText text, ReactiveAdapter returns, MethodInvocation invocation) {
            return returns.fromPublisher(Flux.deferContextual(subscriber -> {
                try {
                    return returns.toPublisher(text.proceed(invocation, ReactiveWriteScope.current(subscriber)));
                } catch (Throwable failure) {
                    return Mono.error(failure);
                }
            }));
        }

        static Object outcome(
                AtomicReference<WriteOutcome> outcome, ReactiveAdapter returns, MethodInvocation invocation)
                throws Throwable {
            return returns.fromPublisher(Flux.from(returns.toPublisher(invocation.proceed()))
                    .then(Mono.fromSupplier(outcome::get))
                    .onErrorResume(
                            UnknownOutcomeException.class, unknown -> Mono.just(new WriteOutcome.Unknown(unknown)))
                    .contextWrite(StatementGuards.TELLING.enter(outcome::set)));
        }

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
