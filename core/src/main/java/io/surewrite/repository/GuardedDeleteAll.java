package io.surewrite.repository;

import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.cql.WriteScope;
import io.surewrite.unique.scan.WholeTable;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.event.AfterDeleteEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeDeleteEvent;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * {@code deleteAll()} of a repository with unique constraints: each row through the guard, with one event before and one
 * after all of them; or, for tests, by Spring Data's own truncation, after which the claims of the table go.
 *
 * @param truncates whether it truncates
 * @param constraints the names of all constraints of the table, asked for at each call
 * @param delete deletes rows, for listeners that want to see it, nothing bound
 */
record GuardedDeleteAll(
        WholeTable table,
        boolean truncates,
        Supplier<Set<String>> constraints,
        CassandraPersistentEntity<?> entity,
        Statement<?> delete,
        ApplicationEventPublisher events) {

    MethodInterceptor interceptor(boolean reactive) {
        return reactive
                ? invocation -> Objects.requireNonNull(
                                ReactiveAdapterRegistry.getSharedInstance()
                                        .getAdapter(Signature.returnType(invocation.getMethod())),
                                "Reactive repositories return publishers")
                        .fromPublisher(Reactive.run(this, invocation::proceed))
                : invocation -> run(invocation::proceed, false);
    }

    /**
     * Deletes.
     *
     * @param truncation as Spring Data does
     * @return null, or a {@link Mono}
     */
    @Nullable
    Object run(GuardedBaseClass.Truncation truncation, boolean reactive) throws Throwable {
        if (reactive) {
            return Reactive.run(this, truncation);
        }
        if (truncates) {
            truncation.run();
            forgetClaims();
        } else {
            deleteRows();
        }
        return null;
    }

    private void forgetClaims() {
        table.forgetClaims(constraints.get());
    }

    private void deleteRows() {
        events.publishEvent(new BeforeDeleteEvent<>(delete, entity.getType(), entity.getTableName()));
        table.delete();
        events.publishEvent(new AfterDeleteEvent<>(delete, entity.getType(), entity.getTableName()));
    }

    /** What blocks does so on a thread that may. Apart, because Reactor is optional. */
    private static final class Reactive {

        static Mono<Void> run(GuardedDeleteAll method, GuardedBaseClass.Truncation truncation) throws Throwable {
            return method.truncates
                    ? Mono.when((Publisher<?>) Objects.requireNonNull(truncation.run()))
                            .then(blocking(method::forgetClaims))
                    : blocking(method::deleteRows);
        }

        private static Mono<Void> blocking(Runnable work) {
            return Mono.deferContextual(context -> {
                        WriteScope scope = ReactiveWriteScope.current(context);
                        return Mono.<Void>fromRunnable(() -> {
                            if (scope == null) {
                                work.run();
                            } else {
                                scope.<@Nullable Void>call(() -> {
                                    work.run();
                                    return null;
                                });
                            }
                        });
                    })
                    .subscribeOn(Schedulers.boundedElastic());
        }
    }
}
